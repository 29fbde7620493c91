#!/usr/bin/env node
// Loads the program, as it was compiled while building where this very V8 did that, and hands the process over to it.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, '../dist/program.cjs');

/** What V8 makes of the program is of use to one version of it on one kind of machine. */
const { versions, platform, arch } = process;
const compiledFile = join(__dirname, `../dist/program-${versions.v8}-${platform}-${arch}.bin`);

/** V8 checks that `compiled` is its own and fits the source; if not, and without it, it compiles each function anew. */
function compile(compiled) {
  // The name ends up in the compiled form: it must not say where the package was built.
  return new Script(readFileSync(file, 'latin1'), {
    filename: 'memplan/dist/program.cjs',
    cachedData: compiled,
  });
}

/** The exports of the program. */
function start(script) {
  const program = { exports: {} };
  script.runInThisContext()(program, require, file);
  return program.exports;
}

/** Undefined in a package that another version of Node built: the program starts later, and does the same. */
function compiledAhead() {
  try {
    return readFileSync(compiledFile);
  } catch {
    return undefined;
  }
}

/** The only place that touches the process. */
async function main() {
  const { stdout, stderr, env, argv } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', ({ code }) => {
      // The reader of a pipe has seen enough: `memplan ... | head`.
      if (code === 'EPIPE') return;
      if (stream === stdout) stderr.write(`error E_WRITE: the output cannot be written (${code})\n`);
      process.exitCode = 2;
    });
  }
  const args = argv.slice(2);
  const { run } = args.includes('--anytime') ? require('./anytime.js') : start(compile(compiledAhead()));
  const code = await run(args, { stdout, stderr, env, cwd: '.' });
  process.exitCode ||= code;
}

if (require.main === module) main();
else module.exports = { compile, compiledAhead, compiledFile, start };
