/** Finds out which bytes are the same, wherever they lie: a view has no bytes of its own. */
import type { Candidate, Choice } from '../lifetime/candidates.ts';
import type { Scene } from '../lifetime/scene.ts';

/**
 * What each kind of sharing means for the bytes that are needed. A kind that is missing here would make the bound of
 * the search wrong, so that it must be thought about before it compiles.
 */
const MEANING: Readonly<Record<Candidate['kind'], 'shows' | 'overwrites'>> = {
  view: 'shows',
  'in-place': 'overwrites',
};

/** The output shows bytes of its source, which stay as they are. */
export function shows({ kind }: Candidate): boolean {
  return MEANING[kind] === 'shows';
}

/** The output is written over its source. */
export function overwrites({ kind }: Candidate): boolean {
  return MEANING[kind] === 'overwrites';
}

/** Where the bytes of a tensor come from: `bytes` of the tensor `root`, from `offset` on. */
export interface Content {
  readonly root: number;
  readonly offset: number;
  readonly bytes: number;
}

/** By tensor, all views taken. Needs the sources of views to come before them, as they do in the choices. */
export function contentsOf(
  scene: Scene,
  choices: readonly Choice[],
  tensors: Iterable<number>,
): ReadonlyMap<number, Content> {
  const contents = new Map<number, Content>();
  for (const tensor of tensors) {
    contents.set(tensor, { root: tensor, offset: 0, bytes: scene.sizes.get(tensor)!.bytes });
  }
  for (const { output, candidates } of choices) {
    const view = candidates.find(shows);
    const from = view === undefined ? undefined : contents.get(view.source);
    const own = contents.get(output);
    if (view === undefined || from === undefined || own === undefined) continue;
    contents.set(output, { root: from.root, offset: from.offset + view.offset, bytes: own.bytes });
  }
  return contents;
}

/** The bytes [from, to) of a root that the same tensors cover. */
export interface Segment {
  readonly root: number;
  readonly from: number;
  readonly to: number;
  /** Tensors that show these bytes, the root among them. */
  readonly tensors: readonly number[];
}

/** Every root, whole or cut where a view of it begins or ends, in the order of the tensors. */
export function segmentsOf(contents: ReadonlyMap<number, Content>, cut: boolean): readonly Segment[] {
  const byRoot = new Map<number, number[]>();
  for (const [tensor, { root }] of contents) {
    const members = byRoot.get(root);
    if (members === undefined) byRoot.set(root, [tensor]);
    else members.push(tensor);
  }
  return [...byRoot].flatMap(([root, members]) => {
    const whole = contents.get(root)!;
    const ends = new Set([0, whole.bytes]);
    for (const tensor of cut ? members : []) {
      const { offset, bytes } = contents.get(tensor)!;
      ends.add(offset).add(offset + bytes);
    }
    const cuts = [...ends].sort((a, b) => a - b);
    return cuts.slice(1).map((to, index): Segment => {
      const from = cuts[index]!;
      const tensors = members.filter((tensor) => {
        const { offset, bytes } = contents.get(tensor)!;
        return offset < to && from < offset + bytes;
      });
      return { root, from, to, tensors };
    });
  });
}
