/** What the table is about: random cells, and the real models of the corpus whose steps have more than one order. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MemplanError } from '../../src/errors.ts';
import type { TypedGraph } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { randomCells } from '../../test/support/cells.ts';
import { graphOf } from '../../test/support/graphs.ts';
import { recordedBindings } from '../../test/support/truth.ts';

export interface Subject {
  readonly name: string;
  readonly graph: TypedGraph;
}

const SIZES = [20, 40, 60, 80, 105, 130, 160, 200] as const;
const SEEDS = [1, 2] as const;

export function cellSubjects(): readonly Subject[] {
  return randomCells(SIZES, SEEDS).map(({ name, sketch }) => ({ name, graph: graphOf(sketch) }));
}

/** Models that can be planned; none without the corpus. */
export function modelSubjects(root: string): readonly Subject[] {
  const shared = process.env.MEMPLAN_SHARED ?? join(root, '..', 'shared');
  const folder = join(shared, 'data', 'models');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.onnx'));
  return files.sort().flatMap((file): Subject[] => {
    const name = file.slice(0, -'.onnx'.length);
    try {
      const { graph } = readModel(join(folder, file));
      const bindings = recordedBindings(shared, name, graph) ?? { ...NO_BINDINGS, all: 1 };
      return [{ name, graph: inferShapes(graph, bindings).graph }];
    } catch (error) {
      if (error instanceof MemplanError) return [];
      throw error;
    }
  });
}
