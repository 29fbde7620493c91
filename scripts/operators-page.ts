/** The page docs/operators.md, from the same rows as `memplan ops`. */
import { allRows } from '../src/ops/registry.ts';
import { OP_COLUMNS, type OpFacts, opCells, opFacts, sortedOps } from '../src/report/ops.ts';

const RIGHT = new Set(['inputs', 'outputs']);

const HEAD = `# Operators

What memplan has a shape rule for; \`memplan ops\` prints the same, and \`memplan ops Conv\` one of them. Written by
\`npm run docs:ops\` from the rows in \`src/ops\`.

- *inputs*, *outputs*: how many there may be; \`2+\` is two or more.
- *shares*: a *view* has the bytes of its input and moves nothing; an *in-place* output may take over the bytes of one
  of these inputs, counted from 0, once nobody else needs them.
- *folds*: outputs are computed where the inputs are constants that can decide shapes.
- *opset versions*: those of the operator's domain in which its definition changed.
`;

export function operatorsPage(): string {
  const ops = sortedOps(allRows().map(opFacts));
  const domains = [...new Set(ops.map(({ domain }) => domain))];
  return [HEAD, ...domains.map((domain) => section(domain, ops))].join('\n');
}

function section(domain: string, all: readonly OpFacts[]): string {
  const ops = all.filter((op) => op.domain === domain);
  const rule = OP_COLUMNS.map((column) => (RIGHT.has(column) ? '---:' : '---'));
  const lines = [OP_COLUMNS, rule, ...ops.map(opCells)].map((cells) => `| ${cells.join(' | ')} |`);
  return `## ${domain === '' ? 'ai.onnx' : domain} (${ops.length})\n\n${lines.join('\n')}\n`;
}
