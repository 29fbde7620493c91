// With --anytime the program runs in a thread of its own. A search never pauses, and Node sees Ctrl-C only in a thread
// that does; so this one waits, and leaves a mark in shared memory that the search looks at now and then.
const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');

/** Runs the command line in a thread, on the streams of this one. Resolves to the exit code. */
function run(argv, { stdout, stderr }) {
  const mark = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(__filename, {
    workerData: { argv, mark, streams: { stdout: facts(stdout), stderr: facts(stderr) } },
  });
  const interrupt = () => {
    if (Atomics.exchange(mark, 0, 1) === 0) {
      stderr.write('\ntaking the best plan so far; Ctrl-C once more ends without one\n');
      return;
    }
    // Ends as it would have without --anytime: the shell is told that it was the signal.
    process.off('SIGINT', interrupt);
    process.kill(process.pid, 'SIGINT');
  };
  process.on('SIGINT', interrupt);
  return new Promise((resolve, reject) => {
    worker.on('message', ({ stream, text, code }) => {
      if (code === undefined) (stream === 'stdout' ? stdout : stderr).write(text);
      else resolve(code);
    });
    worker.on('error', reject);
  }).finally(() => process.off('SIGINT', interrupt));
}

/** What the program wants to know about a stream. */
function facts(stream) {
  const { isTTY, columns } = stream;
  return { isTTY, columns, colours: isTTY === true && stream.hasColors() };
}

async function work() {
  const { argv, mark, streams } = workerData;
  const { compile, compiledAhead, start } = require('./memplan.js');
  // A message arrives while the thread is busy; what is written to the streams of a thread does not.
  const stream = (name) => ({
    ...streams[name],
    hasColors: () => streams[name].colours,
    write: (text) => parentPort.postMessage({ stream: name, text }),
  });
  const { run } = start(compile(compiledAhead()));
  const io = { stdout: stream('stdout'), stderr: stream('stderr'), env: process.env, cwd: '.' };
  parentPort.postMessage({
    code: await run(argv, { ...io, interrupted: () => Atomics.load(mark, 0) !== 0 }),
  });
}

if (isMainThread) module.exports = { run };
else work();
