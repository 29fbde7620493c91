#!/usr/bin/env node
// Hands the process over to the program; the only place that touches it.
import process from 'node:process';
import { run } from '../dist/main.js';

const { stdout, stderr, env, argv } = process;
for (const stream of [stdout, stderr]) {
  stream.on('error', (error) => {
    // The reader of a pipe has seen enough: `memplan ... | head`.
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await run(argv.slice(2), { stdout, stderr, env, cwd: '.' });
