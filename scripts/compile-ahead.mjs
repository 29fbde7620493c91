// Keeps the program in dist/ as this version of Node has compiled it by the end of typical jobs: bin/memplan.js takes it up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import launcher from '../bin/memplan.js';

const examples = join(dirname(fileURLToPath(import.meta.url)), '../examples');
const silent = { write: () => true };

const script = launcher.compile();
const { run } = launcher.start(script);
const out = mkdtempSync(join(tmpdir(), 'memplan-typical-'));
for (const name of ['kws', 'kws-int8']) {
  const args = [join(examples, name, `${name}.onnx`), '--target', 'stm32h743', '--out', out];
  const code = await run(args, { stdout: silent, stderr: silent, env: {}, cwd: '.' });
  if (code !== 0) throw new Error(`exit ${code}: memplan ${args.join(' ')}`);
}
rmSync(out, { recursive: true });

writeFileSync(launcher.compiledFile, script.createCachedData());
