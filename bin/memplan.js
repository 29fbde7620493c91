#!/usr/bin/env node
// Hands the process over to the program; the only place that touches it.
const { load } = require('./load.js');

const { stdout, stderr, env, argv } = process;
for (const stream of [stdout, stderr]) {
  stream.on('error', ({ code }) => {
    // The reader of a pipe has seen enough: `memplan ... | head`.
    if (code === 'EPIPE') return;
    if (stream === stdout) stderr.write(`error E_WRITE: the output cannot be written (${code})\n`);
    process.exitCode = 2;
  });
}
load()
  .run(argv.slice(2), { stdout, stderr, env, cwd: '.' })
  .then((code) => {
    process.exitCode ||= code;
  });
