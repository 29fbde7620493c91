// Builds examples/browser/memplan.html: one page that holds memplan, its targets and an example, and asks for nothing.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import Handlebars from 'handlebars';
import { bundledPage } from '../../scripts/bundle-page.mjs';
import { precompiledTemplates } from '../../scripts/precompile-templates.mjs';
import { slimPackages } from '../../scripts/slim-packages.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const out = process.argv[2] ?? join(here, 'memplan.html');
const MODULES = ['fs', 'path', 'buffer', 'crypto'];

/** The modules of Node that memplan uses, as files of this folder. */
const nodeInMemory = {
  name: 'node-in-memory',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => {
      const name = path.slice('node:'.length);
      if (!MODULES.includes(name)) throw new Error(`${path} is not among ${MODULES}`);
      return { path: join(here, `node/${name}.ts`) };
    });
  },
};

const targets = {
  name: 'targets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^memplan:targets$/ }, ({ path }) => ({ path, namespace: 'targets' }));
    onLoad({ filter: /.*/, namespace: 'targets' }, () => ({
      contents: JSON.stringify(targetFiles()),
      loader: 'json',
    }));
  },
};

/** Small, and with the index that finds an alias. */
function targetFiles() {
  const folder = join(root, 'src/target/data');
  const index = {};
  const files = {};
  for (const file of readdirSync(folder).sort()) {
    const target = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const alias of target.aliases ?? []) index[alias] = target.id;
    files[file] = JSON.stringify(target);
  }
  return { ...files, 'index.json': JSON.stringify(index) };
}

async function bundle(entry) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(here, entry)],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    platform: 'browser',
    target: ['es2022', 'chrome105', 'firefox110', 'safari16.4'],
    // Where memplan looks for its targets.
    define: { 'import.meta.url': '"file:///memplan/index.js"', global: 'globalThis' },
    inject: [join(here, 'node/buffer.ts')],
    plugins: [nodeInMemory, targets, precompiledTemplates(root), bundledPage(root), slimPackages()],
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
}

const inScript = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const page = Handlebars.compile(readFileSync(join(here, 'page.hbs'), 'utf8'), {
  noEscape: true,
  strict: true,
});
const script = inScript(await bundle('app.ts'));
const worker = inScript(await bundle('worker.ts'));
const model = readFileSync(join(root, 'examples/kws/kws.onnx')).toString('base64');
// The report in the frame is held to the rules of the page around it.
const [report] = /sha256-[A-Za-z0-9+/=]{44}/.exec(worker);
const filled = {
  policy: `default-src 'none'; script-src ${hashOf(script)} '${report}'; style-src 'unsafe-inline'; img-src data:; worker-src blob:; frame-src 'self'; base-uri 'none'; form-action 'none'`,
  style: readFileSync(join(here, 'page.css'), 'utf8'),
  targets: Object.keys(targetFiles())
    .filter((file) => file !== 'index.json')
    .map((file) => `<option value="${file.replace('.json', '')}"></option>`)
    .join('\n'),
  model,
  worker,
  script,
};
writeFileSync(out, page(filled));
console.log(`${out}: ${Math.round(readFileSync(out).length / 1024)} KiB`);
