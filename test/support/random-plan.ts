/** Random valid plans with several regions, in-place outputs and views, packed by the plainest first fit. */
import {
  type PlanSketch,
  type RegionSketch,
  type StepSketch,
  sketchBytes,
  type TensorSketch,
} from './plans.ts';
import { createRandom } from './random.ts';

type Draft = { -readonly [K in keyof TensorSketch]: TensorSketch[K] } & {
  /** The first tensor of those that share its bytes. */
  root: number;
  end: number;
  /** Its bytes were taken over. */
  gone: boolean;
};

/** A network of `steps` steps, each reading up to three earlier tensors and writing one. */
export function randomSketch(seed: number, steps: number, regions: readonly RegionSketch[]): PlanSketch {
  const pick = createRandom(seed);
  const drafts: Draft[] = [draft('input', [4 + pick(60)], 0, 0, regions[0]!.name)];
  const rows: StepSketch[] = [];
  drafts[0]!.role = 'input';
  for (let step = 0; step < steps; step++) {
    const operands = new Set(
      Array.from({ length: 1 + pick(3) }, () => {
        const i = Math.max(0, drafts.length - 1 - pick(6));
        return drafts[i]!.gone ? drafts.length - 1 : i;
      }),
    );
    for (const i of operands) drafts[i]!.end = Math.max(drafts[i]!.end, step + 1);
    const region = regions[pick(regions.length)]!.name;
    const made = draft(`t${step}`, [1 + pick(300)], step, drafts.length, region);
    const source = [...operands][0]!;
    const kind = pick(10);
    if (kind < 2) share(made, drafts, source, 'view');
    else if (kind < 5 && mayTakeOver(drafts, operands, source, step)) {
      share(made, drafts, source, 'in-place');
      for (const d of drafts) d.gone ||= d.root === made.root;
    }
    rows.push({
      node: `n${step}`,
      op: 'Any',
      reads: [...operands].map((i) => drafts[i]!.name),
      writes: [made.name],
    });
    drafts.push(made);
  }
  const last = drafts.at(-1)!;
  last.role = 'output';
  last.end = steps;
  for (const d of drafts) d.live = [d.live[0], d.end];
  place(drafts);
  const tensors = drafts.map(({ root, end, gone, ...tensor }) => tensor);
  return { file: `random-${seed}.onnx`, prefix: 'NET', regions, tensors, steps: rows };
}

function draft(name: string, shape: readonly number[], first: number, root: number, region: string): Draft {
  return { name, shape, live: [first, first + 1], offset: 0, region, root, end: first + 1, gone: false };
}

function share(made: Draft, drafts: readonly Draft[], source: number, how: 'view' | 'in-place'): void {
  const from = drafts[source]!;
  made.how = how;
  made.aliasOf = from.name;
  made.root = from.root;
  made.region = from.region!;
  made.shape = from.shape;
}

/** Nothing else that shares the operand's bytes is read in this step or later. */
function mayTakeOver(
  drafts: readonly Draft[],
  operands: ReadonlySet<number>,
  source: number,
  step: number,
): boolean {
  const group = drafts.map((_, i) => i).filter((i) => drafts[i]!.root === drafts[source]!.root);
  return group.every((i) =>
    i === source ? drafts[i]!.end === step + 1 : drafts[i]!.end <= step && !operands.has(i),
  );
}

/** First fit: each group of tensors at the lowest aligned offset where no group alive with it lies. */
function place(drafts: readonly Draft[]): void {
  const groups = [...new Set(drafts.map((d) => d.root))].map((root) => {
    const members = drafts.filter((d) => d.root === root);
    return {
      members,
      region: members[0]!.region!,
      first: Math.min(...members.map((d) => d.live[0])),
      end: Math.max(...members.map((d) => d.end)),
      bytes: sketchBytes(members[0]!),
      offset: 0,
    };
  });
  for (const [i, group] of groups.entries()) {
    const rivals = groups
      .slice(0, i)
      .filter((r) => r.region === group.region && r.first < group.end && group.first < r.end)
      .sort((a, b) => a.offset - b.offset);
    for (const rival of rivals) {
      if (rival.offset < group.offset + group.bytes && group.offset < rival.offset + rival.bytes) {
        group.offset = Math.ceil((rival.offset + rival.bytes) / 16) * 16;
      }
    }
    for (const member of group.members) member.offset = group.offset;
  }
}
