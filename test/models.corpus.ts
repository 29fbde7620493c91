/** The table of real models in docs/models.md: what is inferred, planned, or refused and why. `-u` writes it anew. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MemplanError } from '../src/errors.ts';
import { readModel } from '../src/model/read.ts';
import { planModel } from '../src/pipeline.ts';
import { type Bindings, NO_BINDINGS } from '../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from './support/corpus.ts';
import { requestOf } from './support/planned.ts';
import { compareWithTruth, recordedBindings, recordings } from './support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

const HEAD = `# Real models

What memplan makes of 81 models that people deploy or test with. Sizes of open dimensions are those of the recorded run,
else 1. *Right*, *wrong* and *unknown* count tensors against what onnxruntime produced, in one run and, where there is
one, in a second with other sizes. *Arena* and *bound* are bytes for \`--target cortex-m7 --kernels none\`; a bound equal
to the arena proves that no plan is smaller under the same assumptions.

| model | nodes | right / wrong / unknown | second run | arena | bound |
| --- | ---: | ---: | ---: | ---: | ---: |
`;

const names =
  folder === undefined ? [] : readdirSync(join(folder, 'data', 'models')).filter((f) => f.endsWith('.onnx'));

it.skipIf(folder === undefined)('is what the documentation says', { timeout: 600_000 }, async () => {
  const runs = new Set(recordings(folder!));
  const rows = names.sort().map((file) => row(file.slice(0, -'.onnx'.length), runs));
  await expect(HEAD + rows.join('')).toMatchFileSnapshot('../docs/models.md');
});

function row(name: string, runs: ReadonlySet<string>): string {
  const compared = (run: string) => {
    if (!runs.has(run)) return '';
    const { right, wrong, unknown } = compareWithTruth(folder!, run);
    return `${right} / ${wrong.length} / ${unknown.length}`;
  };
  const [nodes, arena, bound] = planned(name);
  return `| ${name} | ${nodes} | ${compared(name)} | ${compared(`${name}.second`)} | ${arena} | ${bound} |\n`;
}

/** Nodes, arena and bound, or the code of the error in place of the arena. */
function planned(name: string): readonly [string, string, string] {
  const path = join(folder!, 'data', 'models', `${name}.onnx`);
  let nodes = '';
  try {
    const { graph } = readModel(path);
    nodes = String(graph.nodes.length);
    const bindings: Bindings = recordedBindings(folder!, name, graph) ?? { ...NO_BINDINGS, all: 1 };
    const { plan } = planModel(requestOf({ models: [path], target: 'cortex-m7', kernels: 'none', bindings }));
    return [
      nodes,
      plan.totals.arenaBytes.toLocaleString('en'),
      plan.totals.lowerBoundBytes.toLocaleString('en'),
    ];
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return [nodes, `\`${error.code}\``, ''];
  }
}
