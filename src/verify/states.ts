/** Checks that the next run finds what is kept for it. */
import type { Diagnostic } from '../errors.ts';
import type { PlanState } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/** Nothing for a plan without states. Whether the bytes last is found by the walks. */
export function stateFaults(index: Index): readonly Diagnostic[] {
  const { states = [], tensors } = index.plan;
  const named = new Set(
    states.flatMap(({ model, tensor, from, how }) => [
      `${model}:${tensor}`,
      ...(how === 'shared' ? [`${model}:${from}`] : []),
    ]),
  );
  return [
    ...states.flatMap((state) => oneState(index, state)),
    ...tensors
      .filter(({ role, model, name }) => (role === 'state') !== named.has(`${model}:${name}`))
      .map(({ name }) => fault(`Tensor ${name} is not the state it is said to be.`, { tensor: name })),
  ];
}

function oneState(index: Index, { model, tensor, from, how }: PlanState): readonly Diagnostic[] {
  const say = (text: string) => [fault(`State ${tensor}: ${text}.`, { tensor })];
  const old = index.tensor(model, tensor);
  if (old?.buffer == null) return say('it lies in no buffer');
  if (index.buffer(old.buffer)?.kind !== 'persistent') return say('its buffer is not persistent');
  if ((how === 'kept') !== (from === null)) return say(`it is ${how}, made of ${from ?? 'itself'}`);
  if (from === null) return [];
  if (!index.isInput(old)) return say('it is no input, so no run begins with it');
  const made = index.tensor(model, from);
  if (made?.buffer == null) return say(`${from} lies in no buffer`);
  if (made.type !== old.type || made.bytes !== old.bytes) return say(`${from} has other bytes`);
  const together = made.region === old.region && made.offset === old.offset;
  return how === 'copied' || together ? [] : say(`${from} is made elsewhere`);
}
