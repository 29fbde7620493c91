// Loads the program in dist/, and takes it as it was compiled while building where that was done by this very V8.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const dist = join(__dirname, '../dist');
const file = join(dist, 'program.cjs');
const { versions, platform, arch } = process;
/** What V8 makes of the program is of use to one version of it on one kind of machine. */
const compiledFile = join(dist, `program-${versions.v8}-${platform}-${arch}.bin`);

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
  const module = { exports: {} };
  script.runInThisContext()(module, require, file);
  return module.exports;
}

function load() {
  let compiled;
  try {
    compiled = readFileSync(compiledFile);
  } catch {
    // Built by another version of Node: it starts later, and does the same.
  }
  return start(compile(compiled));
}

module.exports = { compile, compiledFile, load, start };
