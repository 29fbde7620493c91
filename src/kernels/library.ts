/** Makes a library of its rows: the first row that takes a call is the contract, else a reference kernel stands in. */
import type { Node } from '../graph/types.ts';
import type { KernelBuild } from '../target/types.ts';
import { callOf, dataOf, type KernelCall, type KernelScene } from './call.ts';
import { COMMON_FUSIONS, type Fusions } from './fusions.ts';
import { REFERENCE_ALIGNMENT, referenceContract } from './reference.ts';
import { turnedScratch } from './turned.ts';
import type { Contract, KernelLibrary, KernelRow, Layout } from './types.ts';

export interface LibrarySketch {
  readonly name: string;
  readonly version?: string;
  readonly build?: KernelBuild;
  readonly layout: Layout;
  readonly rows: readonly KernelRow[];
  readonly tensorAlignment?: number;
  readonly scratchAlignment?: number;
  readonly slackBytes?: number;
  readonly fusions?: Fusions;
  /** False: --fuse is off unless asked for. */
  readonly fuses?: boolean;
  /** What reference kernels stand in for runs on copies in the order of the model, which count as scratch. */
  readonly turns?: boolean;
  /** Only some operators are meant to have rows: nobody misses a kernel for the others. */
  readonly isPartial?: boolean;
}

/** Domains whose operators rows are named by. */
const DOMAINS: ReadonlySet<string> = new Set(['', 'com.microsoft']);

export function libraryOf(sketch: LibrarySketch): KernelLibrary {
  const { name, version = null, build = null, layout, isPartial = false, turns = false } = sketch;
  const byOperator = new Map<string, KernelRow[]>();
  for (const row of sketch.rows) byOperator.set(row.op, [...(byOperator.get(row.op) ?? []), row]);
  return {
    ...{ name, version, build, layout },
    contract: (scene, node) => {
      const rows = DOMAINS.has(node.domain) ? (byOperator.get(node.op) ?? []) : [];
      const contract = firstContract(rows, scene, node);
      if (typeof contract !== 'string') return contract;
      const isMissed = node.bodies.length === 0 && !(isPartial && rows.length === 0);
      const standIn = referenceContract(scene, node);
      const copies = turns ? turnedScratch(callOf(scene, node)) : [];
      const scratch = standIn.scratch && [...standIn.scratch, ...copies];
      return { ...standIn, scratch, ...(isMissed && { missing: contract }) };
    },
    countsScratch: true,
    tensorAlignment: sketch.tensorAlignment ?? 1,
    scratchAlignment: Math.max(REFERENCE_ALIGNMENT, sketch.scratchAlignment ?? 1),
    slackBytes: sketch.slackBytes ?? 0,
    fusions: sketch.fusions ?? COMMON_FUSIONS,
    fuses: sketch.fuses ?? true,
  };
}

/** Of the first row that takes the call, or why the first of them does not. */
function firstContract(rows: readonly KernelRow[], scene: KernelScene, node: Node): Contract | string {
  if (rows.length === 0) return 'there is none';
  const call = callOf(scene, node);
  const refusals = rows.map((row) => refusal(row, call));
  const row = rows[refusals.indexOf(undefined)];
  return row === undefined ? refusals[0]! : contractOf(row, call);
}

function refusal({ types, refuses }: KernelRow, call: KernelCall): string | undefined {
  const type = dataOf(call)?.type;
  if (types === undefined) return refuses?.(call);
  if (type === undefined) return 'its shapes are not known';
  return types.includes(type) ? refuses?.(call) : `it works on ${type}`;
}

function contractOf(row: KernelRow, call: KernelCall): Contract {
  return {
    scratch: row.scratch === undefined ? [] : row.scratch(call),
    inPlace: row.inPlace ?? [],
    proof: row.proof ?? 'unproved',
  };
}
