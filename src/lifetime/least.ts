/** Says what no way to share can fall below. */
import { bufferBytes } from './cost.ts';
import type { Scene } from './scene.ts';
import type { Preference } from './sharing.ts';
import type { Candidate, Choice, LiveRange } from './types.ts';

/** Contents of memory are named by the tensor that makes them: what only shows it has the same. */
interface Contents {
  /** By tensor; left out where it is the tensor itself. */
  readonly owner: ReadonlyMap<number, number>;
  readonly mayOverwrite: ReadonlySet<number>;
  /** The step from which on they may be a part of others. */
  readonly joinedAt: ReadonlyMap<number, number>;
}

/**
 * No way to share that these candidates allow has a smaller peak: at each step the contents that are still needed,
 * views of one another counted once, and what is written if nothing can take it in.
 */
export function leastBytes(scene: Scene, choices: readonly Choice[], allowed: Preference): number {
  const { lives, sizes, schedule } = scene;
  const contents = contentsOf(scene, choices, allowed);
  const { mayOverwrite, joinedAt } = contents;
  const spans = spansOf(scene, contents);
  const deltas = new Float64Array(schedule.steps.length + 2);
  let under: Under | undefined;
  for (const [owner, span] of spans.entries()) {
    if (span === undefined) continue;
    const { first, end } = span;
    // What may lie inside another tensor needs no padding of its own, and from the step of its Concat on a part is
    // counted with the whole.
    const joined = joinedAt.get(owner);
    const isInside = joined !== undefined || mayOverwrite.has(owner);
    const bytes = isInside ? sizes[owner]!.bytes : bufferBytes(scene, owner);
    const written = Math.max(first, lives.definedAt[owner]!);
    const start = mayOverwrite.has(owner) ? written + 1 : written;
    deltas[start]! += bytes;
    deltas[Math.max(start, Math.min(end, joined ?? end))]! -= bytes;
    // What a loop hands on has its bytes before it is written.
    if (first === written) continue;
    under ??= underOf(choices, allowed);
    const others = before(owner, scene, contents, under);
    for (const wait of without({ first, end: start }, others, spans)) {
      deltas[wait.first]! += bytes;
      deltas[wait.end]! -= bytes;
    }
  }
  let [live, most] = [0, 0];
  for (const delta of deltas) {
    live += delta;
    most = Math.max(most, live);
  }
  return most;
}

function contentsOf({ sizes }: Scene, choices: readonly Choice[], allowed: Preference): Contents {
  const owner = new Map<number, number>();
  const mayOverwrite = new Set<number>();
  const joinedAt = new Map<number, number>();
  choices.forEach(({ output }, index) => {
    for (const { kind, source, step } of allowed[index]!) {
      const own = owner.get(output) ?? output;
      if (kind === 'in-place') mayOverwrite.add(output);
      else if (kind !== 'concat') owner.set(output, owner.get(source) ?? source);
      // What shows a stretch of its contents cannot take the rest of them along.
      else if (sizes[own]!.bytes === sizes[output]!.bytes)
        joinedAt.set(own, Math.min(step, joinedAt.get(own) ?? step));
    }
  });
  return { owner, mayOverwrite, joinedAt };
}

/** By owner: when contents in our own memory are needed as a whole. */
type Spans = readonly (LiveRange | undefined)[];

function spansOf({ lives, sizes, external }: Scene, { owner }: Contents): Spans {
  const spans = new Array<LiveRange | undefined>(lives.ranges.length).fill(undefined);
  lives.ranges.forEach((alive, tensor) => {
    const own = owner.get(tensor) ?? tensor;
    if (alive === undefined || external.has(own)) return;
    if (sizes[own]!.bytes !== sizes[tensor]!.bytes) return;
    const span = spans[own];
    spans[own] =
      span === undefined
        ? alive
        : { first: Math.min(span.first, alive.first), end: Math.max(span.end, alive.end) };
  });
  return spans;
}

/** Tensors that may have been in the bytes of others, by those others. */
interface Under {
  /** What they may be written over. */
  readonly operands: ReadonlyMap<number, readonly Candidate[]>;
  /** What they may show. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
  /** The parts of a whole, and the wholes of a part. */
  readonly joined: ReadonlyMap<number, readonly number[]>;
}

function underOf(choices: readonly Choice[], allowed: Preference): Under {
  const operands = new Map<number, Candidate[]>();
  const sources = new Map<number, number[]>();
  const joined = new Map<number, number[]>();
  const add = <T>(to: Map<number, T[]>, tensor: number, other: T): void => {
    const known = to.get(tensor);
    if (known === undefined) to.set(tensor, [other]);
    else known.push(other);
  };
  choices.forEach((_, index) => {
    for (const candidate of allowed[index]!) {
      const { kind, output, source } = candidate;
      if (kind === 'in-place') add(operands, output, candidate);
      else if (kind !== 'concat') add(sources, output, source);
      else {
        add(joined, output, source);
        add(joined, source, output);
      }
    }
  });
  return { operands, sources, joined };
}

/**
 * All tensors that may have been in the bytes of this one before it. A tensor that is needed after the write cannot:
 * what is written over can then only be a copy of it, which is counted with it.
 */
function before(tensor: number, { lives }: Scene, { owner }: Contents, under: Under): ReadonlySet<number> {
  const found = new Set([tensor]);
  const addShown = (shown: number, hidden?: number): void => {
    const all = new Set([shown]);
    for (const one of all) for (const source of under.sources.get(one) ?? []) all.add(source);
    for (const one of all) if (one !== hidden) found.add(one);
  };
  for (const one of found) {
    for (const { source, step } of under.operands.get(one) ?? []) {
      const own = owner.get(source) ?? source;
      addShown(source, lives.ranges[own]!.end > step + 1 ? own : undefined);
    }
    for (const other of under.joined.get(one) ?? []) addShown(other);
  }
  found.delete(tensor);
  return found;
}

/** The stretches of a range during which nothing of these tensors is counted. */
function without(
  { first, end }: LiveRange,
  tensors: ReadonlySet<number>,
  spans: Spans,
): readonly LiveRange[] {
  const taken = [...tensors].flatMap((tensor) => spans[tensor] ?? []).sort((a, b) => a.first - b.first);
  const free: LiveRange[] = [];
  let reached = first;
  for (const span of [...taken, { first: end, end }]) {
    const until = Math.min(span.first, end);
    if (until > reached) free.push({ first: reached, end: until });
    reached = Math.max(reached, span.end);
  }
  return free;
}
