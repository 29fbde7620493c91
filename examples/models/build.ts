/** Writes example models, and the command lines that generate their C. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHITECTURES, EXAMPLES, type Example } from './catalogue.ts';

const USAGE = 'usage: npm run examples -- [NAME...] [--light] [--out DIR]';

/**
 * Without names every example goes to `<root>/<name>/<name>.onnx`; with `--out` they all go to that folder, as do
 * the large architectures. `--light` leaves the weights out. Returns the arguments of memplan for each example that
 * went to its own folder.
 */
export function buildExamples(args: readonly string[], root: string): readonly string[][] {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { light: { type: 'boolean', default: false }, out: { type: 'string' } },
  });
  const known = [...EXAMPLES, ...ARCHITECTURES];
  const unknown = positionals.filter((name) => !known.some((example) => example.name === name));
  if (unknown.length > 0) {
    const names = known.map((example) => `  ${example.name.padEnd(20)} ${example.about}`);
    throw new Error([`there is no example ${unknown.join(', ')}`, USAGE, ...names].join('\n'));
  }
  const chosen = positionals.length === 0 ? EXAMPLES : known.filter(({ name }) => positionals.includes(name));
  for (const { name, build } of chosen) {
    const bytes = build({ weights: values.light ? 'light' : 'seeded' }).encode();
    const folder = values.out ?? join(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.onnx`), bytes);
    console.log(`${join(folder, `${name}.onnx`)}  ${bytes.length} bytes`);
  }
  if (values.out !== undefined) return [];
  return EXAMPLES.filter((example) => chosen.includes(example)).map((example) => commandFor(example, root));
}

/** `memplan` with these arguments writes the C of an example beside its model. */
export function commandFor({ name, target }: Example, root: string): string[] {
  const folder = join(root, name);
  return [join(folder, `${name}.onnx`), '--target', target, '--out', folder];
}
