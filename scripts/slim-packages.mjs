// Leaves out of bundled packages what no run of memplan uses and every run would pay for at its start.
import { readFileSync } from 'node:fs';

/** What protobufjs needs of the package `long` to read. */
const LONG = `
function Long(low, high, unsigned) {
  this.low = low;
  this.high = high;
  this.unsigned = unsigned;
}
Long.isLong = (value) => value instanceof Long;
Long.fromBits = (low, high, unsigned) => new Long(low, high, unsigned);
module.exports = Long;
`;

/** Parts of a package's file that go, or give way to something; `times` is how often each must be found. */
const CUTS = [
  {
    name: 'commander',
    file: /[\\/]commander[\\/]lib[\\/]command\.js$/,
    cuts: [
      // For commands that are programs of their own: it loads the network.
      { what: /^const childProcess = require\('node:child_process'\);$/gm, times: 1 },
      { what: /\bchildProcess\.spawn\b/g, by: "require('node:child_process').spawn", times: 3 },
    ],
  },
  {
    name: 'onnx-proto',
    file: /[\\/]onnx-proto[\\/]dist[\\/]onnx\.js$/,
    cuts: [
      ...['create', 'encode', 'encodeDelimited', 'decodeDelimited', 'verify', 'fromObject', 'toObject'].map(
        method,
      ),
      { what: /^( +)\w+\.prototype\.toJSON = function toJSON\(\) \{\n.*?^\1\};\n/gms, times: 21 },
    ],
  },
  {
    name: 'protobufjs',
    file: /[\\/]protobufjs[\\/]src[\\/]index-minimal\.js$/,
    cuts: [
      // It writes nothing, and calls nobody.
      { what: /^exports\.(?:Writer|BufferWriter|rpc) *= require\(.*\);$/gm, times: 3 },
      { what: /^ *exports\.Writer\._configure\(exports\.BufferWriter\);$/gm, times: 1 },
    ],
  },
  {
    name: 'protobufjs',
    file: /[\\/]protobufjs[\\/]src[\\/]util[\\/]minimal\.js$/,
    cuts: [{ what: /^util\.(?:asPromise|base64|EventEmitter|pool) *= require\(.*\);$/gm, times: 4 }],
  },
  {
    name: 'long',
    file: /[\\/]long[\\/]umd[\\/]index\.js$/,
    // protobufjs makes and hands over 64-bit numbers; src/model/proto.ts reads their halves, and nobody calculates.
    cuts: [{ what: /^.*$/s, by: LONG, times: 1 }],
  },
];

/** One method of each of the 21 messages of onnx-proto. */
function method(name) {
  return {
    what: new RegExp(`^( +)\\w+\\.${name} = function ${name}\\([^)]*\\) \\{\\n.*?^\\1\\};\\n`, 'gms'),
    times: 21,
  };
}

/** An esbuild plugin. A package that no longer has the form that a cut expects fails the build. */
export function slimPackages() {
  return {
    name: 'slim-packages',
    setup(build) {
      const done = new Set();
      for (const { file, cuts } of CUTS) {
        build.onLoad({ filter: file }, ({ path }) => {
          done.add(file);
          return { contents: slimmed(path, cuts), loader: 'js' };
        });
      }
      build.onEnd(({ metafile }) => {
        const inputs = Object.keys(metafile?.inputs ?? {});
        const missed = CUTS.filter(
          ({ name, file }) =>
            !done.has(file) && inputs.some((input) => input.includes(`/node_modules/${name}/`)),
        );
        return { errors: missed.map(({ name, file }) => ({ text: `${name} has no file ${file}` })) };
      });
    },
  };
}

function slimmed(path, cuts) {
  let text = readFileSync(path, 'utf8');
  for (const { what, by = '', times } of cuts) {
    const found = text.match(what)?.length ?? 0;
    if (found !== times) throw new Error(`${path}: ${what} is there ${found} times, not ${times}`);
    text = text.replace(what, by);
  }
  return text;
}
