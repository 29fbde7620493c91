/** Arenas of models that run at the same time, one above the other: they share no byte. */
import { lcm } from '../planner/arithmetic.ts';
import { lowerBound } from '../planner/bound.ts';
import type { Buffer, Solution } from '../planner/types.ts';

/** A packing problem with its solution. */
export interface Block {
  readonly buffers: readonly Buffer[];
  readonly solution: Solution;
}

export interface Stack {
  /** Offsets of the blocks. */
  readonly bases: readonly number[];
  /** Of all buffers, block by block. */
  readonly solution: Solution;
}

/** The block whose end wastes most by alignment stands last. The solution of a single block stays as it is. */
export function stack(blocks: readonly Block[]): Stack {
  if (blocks.length === 1) return { bases: [0], solution: blocks[0]!.solution };
  const bases = basesOf(blocks);
  const bytes = blocks.reduce((most, { solution }, i) => Math.max(most, bases[i]! + solution.bytes), 0);
  const least = blocks.reduce((sum, { solution }) => sum + solution.lowerBound, 0);
  const bound = Math.max(least, boundOf(blocks));
  const largest = blocks.reduce<Solution | undefined>(
    (most, { solution }) => (most === undefined || solution.bytes > most.bytes ? solution : most),
    undefined,
  );
  const byBound = blocks.every(({ solution }) => solution.proof === 'bound');
  return {
    bases,
    solution: {
      offsets: blocks.flatMap(({ solution }, i) => solution.offsets.map((offset) => offset + bases[i]!)),
      ...{ bytes, lowerBound: bound, optimal: bytes === bound },
      strategy: largest?.strategy ?? '',
      proof: bytes !== bound ? null : byBound ? 'bound' : 'exhausted',
      nodes: blocks.reduce((sum, { solution }) => sum + solution.nodes, 0),
    },
  };
}

function basesOf(blocks: readonly Block[]): readonly number[] {
  const alignments = blocks.map(({ buffers }) => commonAlignment(buffers));
  const common = alignments.reduce(lcm, 1);
  const waste = ({ solution }: Block) => (common - (solution.bytes % common)) % common;
  const last = blocks.reduce((most, block, i) => (waste(block) >= waste(blocks[most]!) ? i : most), 0);
  const bases = new Array<number>(blocks.length).fill(0);
  let end = 0;
  for (const i of [...blocks.keys()].sort((a, b) => Number(a === last) - Number(b === last))) {
    bases[i] = Math.ceil(end / alignments[i]!) * alignments[i]!;
    end = bases[i]! + blocks[i]!.solution.bytes;
  }
  return bases;
}

/** What the base of a block must be a multiple of. */
export function commonAlignment(buffers: readonly Buffer[]): number {
  return [...new Set(buffers.map(({ alignment }) => alignment))].reduce(lcm, 1);
}

/** Each block may be at its fullest step at the same time: what lives then lives together. */
function boundOf(blocks: readonly Block[]): number {
  const together = blocks.flatMap(({ buffers }) => {
    const { step } = lowerBound({ buffers });
    return buffers
      .filter(({ first, end, gaps = [] }) => first <= step && step < end && gaps.length === 0)
      .filter(({ mayOverlap = [] }) => mayOverlap.length === 0)
      .map(({ id, bytes, alignment }) => ({ id, bytes, alignment, first: 0, end: 1 }));
  });
  return lowerBound({ buffers: together }).bytes;
}
