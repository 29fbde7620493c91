import { describe, expect, it } from 'vitest';
import { prepare } from '../../src/order/prepare.ts';
import { createWalk, profileOf } from '../../src/order/walk.ts';
import { everyOrder, plainPeak, randomProblem } from '../support/order-problems.ts';
import { createRandom } from '../support/random.ts';

describe('a walk', () => {
  it('needs the same bytes in each step from either end, and at the worst what the words mean', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const problem = randomProblem(seed, 7);
      const prepared = prepare(problem);
      let orders = 0;
      everyOrder(problem, (order) => {
        const forward = profileOf(prepared, order);
        const back = createWalk(prepared, 'backward');
        const backward = [...order].reverse().map((step) => {
          const bytes = back.during(step);
          back.take(step);
          return bytes;
        });
        expect(backward.reverse(), `seed ${seed}: ${order.join()}`).toEqual(forward);
        expect(Math.max(...forward)).toBe(plainPeak(problem, order));
        return ++orders < 20;
      });
    }
  });

  it.each(['forward', 'backward'] as const)(
    'knows the same of a set of steps, %s, however it came there',
    (direction) => {
      for (let seed = 1; seed <= 40; seed++) {
        const problem = randomProblem(seed, 40);
        const random = createRandom(seed);
        const wanderer = createWalk(prepare(problem), direction);
        for (let hop = 0; hop < 10; hop++) {
          const straight = createWalk(prepare(problem), direction);
          for (let i = random(problem.steps.length); i > 0; i--) {
            const ready = [...problem.steps.keys()].filter(straight.isReady);
            straight.take(ready[random(ready.length)]!);
          }
          wanderer.goTo(straight.taken, 0);
          expect([...wanderer.taken]).toEqual([...straight.taken]);
          expect([wanderer.live(), wanderer.size()], `seed ${seed}`).toEqual([
            straight.live(),
            straight.size(),
          ]);
          for (const step of problem.steps.keys()) {
            expect([wanderer.isReady(step), wanderer.isNeeded(step)]).toEqual([
              straight.isReady(step),
              straight.isNeeded(step),
            ]);
            if (!straight.isReady(step)) continue;
            expect([wanderer.during(step), wanderer.change(step)]).toEqual([
              straight.during(step),
              straight.change(step),
            ]);
            straight.take(step);
            const after = straight.live();
            straight.drop(step);
            expect(straight.live() + straight.change(step)).toBe(after);
          }
        }
      }
    },
  );
});
