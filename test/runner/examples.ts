/** The example networks as files, and the ways in which they are planned. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHITECTURES, EXAMPLES } from '../../examples/models/catalogue.ts';
import type { PlanRequest } from '../../src/plan/request.ts';

/** Kinds of sharing, alone and together. */
export const WAYS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['all sharing', {}],
  ['views alone', { inPlace: false }],
  ['in place alone', { views: false }],
  ['no sharing', { inPlace: false, views: false }],
  ['inputs and outputs of the caller', { io: 'external' }],
  ['fused steps', { fuse: 'default' }],
  ['the order of the smallest peak', { schedule: 'min-peak' }],
];

/** Writes the model of an example or architecture to a folder; returns its path. */
export function exampleModel(name: string, dir: string): string {
  const found = [...EXAMPLES, ...ARCHITECTURES].find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no example ${name}`);
  const path = join(dir, `${name}.onnx`);
  writeFileSync(path, found.build().encode());
  return path;
}
