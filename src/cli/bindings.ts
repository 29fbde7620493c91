/** --dim, --input-shape and --op-shape as the bindings of shape inference. */
import { fail } from '../errors.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import type { Bindings } from '../shape/types.ts';
import type { Faults } from './faults.ts';
import { parseCount, parseList, parsePair, parseShape } from './values.ts';

export interface BindingOptions {
  readonly dim?: readonly string[];
  readonly inputShape?: readonly string[];
  readonly opShape?: readonly string[];
}

export function parseBindings(options: BindingOptions, found: Faults): Bindings {
  const dims = new Map<string, number>();
  for (const text of options.dim ?? []) found.attempt(() => addDim(dims, text), undefined);
  const inputShapes = new Map<string, readonly number[]>();
  for (const text of options.inputShape ?? []) {
    found.attempt(() => {
      const { name, value } = parsePair('--input-shape', text, ':', 'x:1,3,224,224');
      addOnce(inputShapes, '--input-shape', name, parseShape('--input-shape', value));
    }, undefined);
  }
  const opShapes = new Map<string, readonly Fact[]>();
  for (const text of options.opShape ?? []) {
    found.attempt(() => {
      const { name, value } = parsePair('--op-shape', text, ':', OP_SHAPE_EXAMPLE);
      addOnce(opShapes, '--op-shape', name, value.split('/').map(parseFact));
    }, undefined);
  }
  const all = dims.get('*');
  dims.delete('*');
  return { dims, all, inputShapes, opShapes };
}

const OP_SHAPE_EXAMPLE = 'node:float32,1,8,8';

function addDim(dims: Map<string, number>, text: string): void {
  const { name, value } = parsePair('--dim', text, '=', 'batch=1');
  if (/^\d+\.\.\d+$/.test(value)) {
    fail('E_NOT_BUILT', `--dim ${text}: ranges are understood, but not built yet`, {
      hint: `--dim ${name}=${value.split('..')[1]} plans for the largest size`,
    });
  }
  addOnce(dims, '--dim', name, parseCount('--dim', value));
}

function addOnce<T>(map: Map<string, T>, flag: string, name: string, value: T): void {
  if (map.has(name)) fail('E_USAGE', `${flag}: "${name}" is given twice`);
  map.set(name, value);
}

/** `float32,1,8,8`: an element type, then the sizes; the type alone is a scalar. */
function parseFact(text: string): Fact {
  const [type = '', ...sizes] = parseList('--op-shape', text);
  if (!Object.hasOwn(ELEMENT_BITS, type)) {
    fail('E_USAGE', `--op-shape: "${type}" is no element type`, { hint: `--op-shape ${OP_SHAPE_EXAMPLE}` });
  }
  return { type: type as ElementType, shape: parseShape('--op-shape', sizes.join(',')) };
}
