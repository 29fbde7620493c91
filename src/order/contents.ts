/** Finds out which bytes are the same, wherever they lie: a view has no bytes of its own, a joined part those of the whole. */

import type { Scene } from '../lifetime/scene.ts';
import type { Candidate, Choice } from '../lifetime/types.ts';

/**
 * What each kind of sharing means for the bytes that are needed. A kind that is missing here would make the bound of
 * the search wrong, so that it must be thought about before it compiles.
 */
const MEANING: Readonly<Record<Candidate['kind'], 'shows' | 'overwrites' | 'contains'>> = {
  view: 'shows',
  split: 'shows',
  'in-place': 'overwrites',
  concat: 'contains',
};

/** The output shows bytes of its source, which stay as they are. */
export function shows({ kind }: Candidate): boolean {
  return MEANING[kind] === 'shows';
}

/** The output is written over its source. */
export function overwrites({ kind }: Candidate): boolean {
  return MEANING[kind] === 'overwrites';
}

/** The source contains the bytes of the output, which are there before it. */
export function contains({ kind }: Candidate): boolean {
  return MEANING[kind] === 'contains';
}

/** Bytes [at, at + bytes) of a tensor are those of the tensor `root` from `offset` on. */
export interface Piece {
  readonly root: number;
  readonly offset: number;
  readonly bytes: number;
  readonly at: number;
}

/** Where the bytes of a tensor come from, from its first byte to its last: one piece, or several for a Concat. */
export type Content = readonly Piece[];

/**
 * By tensor, all views taken; with `parts` all parts of a Concat too. Needs the sources of views to come before them,
 * and parts before the whole, as they do in the choices.
 */
export function contentsOf(
  scene: Scene,
  choices: readonly Choice[],
  tensors: Iterable<number>,
  parts: boolean,
): ReadonlyMap<number, Content> {
  const contents = new Map<number, Content>();
  for (const tensor of tensors) {
    contents.set(tensor, [{ root: tensor, offset: 0, bytes: scene.sizes[tensor]!.bytes, at: 0 }]);
  }
  for (const { output, candidates } of choices) {
    const own = contents.get(output);
    if (own === undefined) continue;
    const bytes = scene.sizes[output]!.bytes;
    const view = candidates.find(shows);
    const from = view === undefined ? undefined : contents.get(view.source);
    if (view !== undefined && from !== undefined) {
      contents.set(output, moved(cut(from, view.offset, view.offset + bytes), -view.offset));
    }
    for (const { source, offset } of parts ? candidates.filter(contains) : []) {
      const whole = contents.get(source);
      if (whole === undefined) continue;
      const end = scene.sizes[source]!.bytes;
      const before = cut(whole, 0, offset);
      const after = cut(whole, offset + bytes, end);
      contents.set(source, [...before, ...moved(own, offset), ...after]);
    }
  }
  return contents;
}

/** The pieces of bytes [from, to). */
function cut(content: Content, from: number, to: number): Content {
  return content.flatMap(({ root, offset, bytes, at }) => {
    const [start, end] = [Math.max(at, from), Math.min(at + bytes, to)];
    return start < end || (bytes === 0 && from === to)
      ? [{ root, offset: offset + start - at, bytes: end - start, at: start }]
      : [];
  });
}

function moved(content: Content, by: number): Content {
  return content.map((piece) => ({ ...piece, at: piece.at + by }));
}

/** All bytes are those of one tensor, this one or another. */
export function rootOf(content: Content | undefined): number | undefined {
  const [first, ...others] = content ?? [];
  return others.length === 0 ? first?.root : undefined;
}

/** The two have a byte in common. */
export function meet(a: Content, b: Content): boolean {
  return a.some((x) =>
    b.some((y) => x.root === y.root && x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes),
  );
}

/** The bytes [from, to) of a root that the same tensors cover. */
export interface Segment {
  readonly root: number;
  readonly from: number;
  readonly to: number;
  /** Tensors that show these bytes, the root among them unless its own are those of parts. */
  readonly tensors: readonly number[];
}

/** Every root, whole or cut where a view of it begins or ends, in the order of the tensors. */
export function segmentsOf(
  { sizes }: Scene,
  contents: ReadonlyMap<number, Content>,
  cuts: boolean,
): readonly Segment[] {
  const byRoot = new Map<number, { readonly tensor: number; readonly piece: Piece }[]>();
  for (const [tensor, content] of contents) {
    for (const piece of content) {
      const shown = byRoot.get(piece.root);
      if (shown === undefined) byRoot.set(piece.root, [{ tensor, piece }]);
      else shown.push({ tensor, piece });
    }
  }
  return [...byRoot].flatMap(([root, shown]) => {
    const { bytes } = sizes[root]!;
    const ends = new Set([0, bytes]);
    for (const { piece } of cuts ? shown : []) ends.add(piece.offset).add(piece.offset + piece.bytes);
    const sorted = [...ends].sort((a, b) => a - b);
    return sorted.slice(1).flatMap((to, index): Segment[] => {
      const from = sorted[index]!;
      const tensors = shown
        .filter(({ piece }) => piece.offset < to && from < piece.offset + piece.bytes)
        .map(({ tensor }) => tensor);
      return tensors.length === 0 ? [] : [{ root, from, to, tensors: [...new Set(tensors)] }];
    });
  });
}
