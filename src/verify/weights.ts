/** Checks the copies of weights: that they are there when steps read them, and that no line of the cache spoils them. */
import type { Diagnostic } from '../errors.ts';
import { ELEMENT_BITS, isInteger } from '../graph/element-type.ts';
import type { Plan, PlanBuffer, PlanCache, PlanConstant } from '../plan/types.ts';
import { fault, sizeFaults } from './fault.ts';
import type { Index } from './index-plan.ts';

/** What steps are said to read from copies has one, and what is said to lie in RAM; what is packed can be. */
export function weightFaults(plan: Plan): readonly Diagnostic[] {
  const { steps, constants, buffers } = plan;
  const copied = new Set(
    constants.filter(({ place }) => place === 'ram').map(({ model, name }) => `${model}:${name}`),
  );
  const copies = new Set<number | undefined>(
    buffers.filter(({ kind }) => kind === 'copy').map(({ id }) => id),
  );
  return [
    ...constants.flatMap((constant) => sizeFaults('Weight', constant)),
    ...packedFaults(plan),
    ...steps.flatMap(({ model, node, weights = [] }) =>
      weights
        .filter((name) => !copied.has(`${model}:${name}`))
        .map((name) =>
          fault(`${node} reads ${name} from a copy, but there is none.`, { node, tensor: name }),
        ),
    ),
    ...constants
      .filter(({ place, buffer }) => (place === 'ram') !== copies.has(buffer))
      .map(({ name, place }) =>
        fault(`Weight ${name} is said to lie in ${place}, but its copy says otherwise.`),
      ),
  ];
}

/** A packed weight has integers, each of so many bits as the plan says, and takes less than it would unpacked. */
function packedFaults({ constants, assumptions: { weightBits } }: Plan): readonly Diagnostic[] {
  return constants
    .filter(({ type, shape, bytes, flashBytes, place }) => {
      if (flashBytes === undefined) return false;
      const elements = shape.reduce((a, b) => a * b, 1);
      // Where nothing is packed no figure is right.
      const needed = Math.ceil((elements * (weightBits ?? Number.NaN)) / 8);
      const isQuantised = isInteger(type) && ELEMENT_BITS[type] <= 16 && shape.length > 1;
      return !isQuantised || place !== 'flash' || flashBytes !== needed || flashBytes >= bytes;
    })
    .map(({ name, flashBytes }) =>
      fault(`Weight ${name} is said to take ${flashBytes} bytes of flash, which it cannot.`, {
        tensor: name,
      }),
    );
}

/** A copy of one weight, alive at all steps or at those that need it, and the weight says so. */
export function copyFaults(index: Index, buffer: PlanBuffer): readonly Diagnostic[] {
  const { end } = index;
  const { id, tensors, bytes, first, end: last, gaps } = buffer;
  const owners = index.copied(id);
  const [weight] = owners;
  const staged = weight && stagedFor(index, weight);
  const needed = staged ?? { first: 0, end };
  const inTime = first <= needed.first && needed.end <= last && gaps.length === 0;
  // A step that may not run brings nothing.
  const whole = inTime && outermost(index, first) === first;
  const right =
    owners.length === 1 &&
    weight!.place === 'ram' &&
    (staged === undefined ? weight!.bytes === bytes : weight!.bytes <= bytes) &&
    weight!.model === (buffer.models?.[0] ?? 0) &&
    tensors.length === 1 &&
    tensors[0] === weight!.name;
  if (right && whole) return [];
  return [
    fault(
      right
        ? `Copy ${id} is not alive at every step that needs it.`
        : `Buffer ${id} is the copy of no weight.`,
    ),
  ];
}

/**
 * Lines of the cache behind which a weight is brought: dropped before it comes, or a dirty one of the dead is written over
 * it later; and again once it is there, or one that was fetched meanwhile hides it. At another time they may hold what is
 * needed. Nobody else has bytes in them.
 */
export function broughtLineFaults(index: Index): readonly Diagnostic[] {
  const { cache = [], constants, regions } = index.plan;
  const rows = new Map<string, PlanCache[]>();
  for (const row of cache) {
    if (row.at !== 'before-bring' && row.at !== 'after-wait') continue;
    rows.set(keyOf(row.model, row.tensor), [...(rows.get(keyOf(row.model, row.tensor)) ?? []), row]);
  }
  const faults = constants.flatMap((constant) => {
    const { model, name } = constant;
    const buffer = index.buffer(constant.buffer);
    const staged = buffer && stagedFor(index, constant);
    const region = staged && regions.find((one) => one.name === buffer.region);
    const line = region?.cacheLine;
    const found = rows.get(keyOf(model, name)) ?? [];
    if (line === undefined) return found.map(strayRow);
    const needed = [
      { at: 'before-bring', step: buffer!.first },
      { at: 'after-wait', step: staged!.needed },
    ];
    const isNeeded = (row: PlanCache) => needed.some(({ at, step }) => row.at === at && row.step === step);
    const whole = [buffer!.offset, buffer!.bytes, region!.alignment].every((bytes) => bytes % line === 0);
    return [
      ...(whole
        ? []
        : [fault(`The copy of ${name} shares lines of ${line} bytes of the cache with others.`)]),
      ...needed
        .filter(
          ({ at, step }) => !found.some((row) => isInvalidated(row) && row.at === at && row.step === step),
        )
        .map(({ at, step }) =>
          fault(
            `Weight ${name} needs its cache lines invalidated ${at} ${step}, and the schedule does not say so.`,
          ),
        ),
      ...found.filter((row) => !isNeeded(row)).map(strayRow),
    ];
  });
  const known = new Set(constants.map(({ model, name }) => keyOf(model, name)));
  return [
    ...faults,
    ...[...rows.values()]
      .flat()
      .filter((row) => !known.has(keyOf(row.model, row.tensor)))
      .map(strayRow),
  ];
}

function isInvalidated({ operation }: PlanCache): boolean {
  return operation === 'invalidate' || operation === 'clean-invalidate';
}

function strayRow({ tensor, at, step }: PlanCache): Diagnostic {
  return fault(`The cache lines of ${tensor} are looked after ${at} ${step}, where it is not brought.`);
}

function keyOf(model: number, name: string): string {
  return `${model}:${name}`;
}

/**
 * Steps at which a weight must lie in its copy that is brought for its readers: from the step before the first, through
 * all of the outermost control-flow node around each. `needed`: the first that must find it there. Undefined for a weight
 * that is brought for none.
 */
function stagedFor(
  index: Index,
  weight: PlanConstant,
): { first: number; needed: number; end: number } | undefined {
  const readers = index.readers(weight);
  // Beside others a model brings none: they may run at any of its steps.
  if (readers.length === 0 || index.plan.run !== undefined) return undefined;
  const wholes = readers.map(({ step }) => {
    const outer = outermost(index, step);
    return { first: outer, end: index.bodiesEnd(outer) };
  });
  const needed = Math.min(...wholes.map((one) => one.first));
  return {
    needed,
    first: outermost(index, Math.max(0, needed - 1)),
    end: Math.max(...wholes.map((one) => one.end)),
  };
}

/** A step inside a body may not run: the step whose bodies it stands in does. */
function outermost({ plan: { steps } }: Index, step: number): number {
  let outer = step;
  while (outer > 0 && steps[outer]!.path !== '') outer--;
  return outer;
}
