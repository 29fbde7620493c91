/** Many random graphs, run in onnxruntime and inferred. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differences } from './compare.ts';
import { randomGraph } from './graphs.ts';
import { runAll } from './oracle.ts';

export interface Campaign {
  /** Graphs that onnxruntime ran. */
  readonly ran: number;
  /** Makers of nodes in them. */
  readonly operators: ReadonlySet<string>;
  /** What onnxruntime refused, with the number of graphs. */
  readonly refused: ReadonlyMap<string, number>;
  /** One text for each tensor that is wrong or not known; SEED=n COUNT=1 npm run fuzz:shapes runs its graph alone. */
  readonly differences: readonly string[];
}

/** `count` graphs of the seeds from `seed` on. */
export function campaign(seed: number, count: number): Campaign {
  const folder = mkdtempSync(join(tmpdir(), 'memplan-fuzz-'));
  try {
    const graphs = Array.from({ length: count }, (_, i) => randomGraph(seed + i));
    const paths = graphs.map(({ seed, bytes }) => {
      const path = join(folder, `${seed}.onnx`);
      writeFileSync(path, bytes);
      return path;
    });
    const outcomes = runAll(paths);
    const operators = new Set<string>();
    const refused = new Map<string, number>();
    const found = outcomes.flatMap((outcome, i) => {
      const { seed, makers } = graphs[i]!;
      if ('outputs' in outcome) for (const maker of makers) operators.add(maker);
      else refused.set(outcome.error, (refused.get(outcome.error) ?? 0) + 1);
      return differences(paths[i]!, outcome).map(
        (text) => `SEED=${seed} COUNT=1 (${makers.join(', ')}): ${text}`,
      );
    });
    const ran = outcomes.filter((outcome) => 'outputs' in outcome).length;
    return { ran, operators, refused, differences: found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
