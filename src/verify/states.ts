/** Checks that the next run finds what is kept for it. */
import type { Diagnostic } from '../errors.ts';
import type { How, PlanState } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/** Nothing for a plan without states. Whether the bytes last is found by the walks. */
export function stateFaults(index: Index): readonly Diagnostic[] {
  const { states = [], tensors } = index.plan;
  return [
    ...states.flatMap((state) => [...oneState(index, state), ...placesFaults(index, state)]),
    ...tensors
      .filter((tensor) => (tensor.role === 'state') !== (index.state(tensor) !== undefined))
      .map(({ name }) => fault(`Tensor ${name} is not the state it is said to be.`, { tensor: name })),
  ];
}

/** Ways to lie in the bytes of an input without writing them. */
const SHOWS: ReadonlySet<How> = new Set(['view', 'elided']);

/** Every place of an input has its own whole bytes, and nothing lies in them but what shows the input. */
function placesFaults(index: Index, { model, tensor, places, stride = 0 }: PlanState): readonly Diagnostic[] {
  if (places === undefined) return [];
  const say = (text: string) => [fault(`Input ${tensor} with ${places} places: ${text}.`, { tensor })];
  const input = index.tensor(model, tensor);
  const buffer = index.buffer(input?.buffer);
  if (buffer === undefined || !index.isInput(input!)) return say('it is no input of the arena');
  const inside = index.members(buffer.id);
  const from = input!.offset!;
  if (places < 2 || inside.some((one) => one.offset! < from || one.offset! + one.bytes > from + stride))
    return say(`${stride} bytes are less than what lies in one place`);
  if (from + places * stride > buffer.offset + buffer.bytes)
    return say('its buffer ends before the last of them');
  if (buffer.gaps.length > 0 || buffer.mayOverlap.length > 0) return say('others may lie in its bytes');
  const other = inside.find((one) => one !== input && (!SHOWS.has(one.how) || index.isOutput(one)));
  if (other !== undefined) return say(`${other.name} lies in it and does not only show it`);
  const line = index.plan.regions.find(({ name }) => name === buffer.region)?.cacheLine ?? 1;
  return stride % line === 0 ? [] : say(`places share lines of ${line} bytes of the cache`);
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
