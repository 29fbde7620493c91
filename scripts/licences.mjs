// The licences of what is bundled: of packages, and of what packages carry in them of others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What no licence file of its package speaks of. */
const CARRIED = {
  chalk: 'ansi-styles and supports-color in source/vendor: MIT License, Copyright (c) Sindre Sorhus',
  'onnx-proto':
    'dist/onnx.js is generated from onnx.proto of ONNX 1.10.2: Apache License 2.0,\n' +
    'Copyright (c) ONNX Project Contributors, https://www.apache.org/licenses/LICENSE-2.0',
};

/** The text that is shipped; throws where a licence is missing. `metafiles` are esbuild's. */
export function licences(root, metafiles) {
  const texts = bundledPackages(metafiles).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(folder, file), 'utf8').trim();
    const parts = [`${name} ${version} (${license})`, text, CARRIED[name]];
    return parts.filter((part) => part !== undefined).join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}

/** Names of the packages of which something is left in a bundle, sorted. */
function bundledPackages(metafiles) {
  const names = new Set();
  for (const { inputs } of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name, rest] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)/.exec(path) ?? [];
      if (name === undefined || bytesInOutput === 0) continue;
      names.add(name);
      if (/\bvendor\//.test(rest) && CARRIED[name] === undefined) throw new Error(`whose is ${path}?`);
    }
  }
  return [...names].sort();
}
