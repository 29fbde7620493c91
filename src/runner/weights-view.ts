/** The structure of weights as C, and as the bytes of a file. */
import { createHash } from 'node:crypto';
import { commentText } from '../emit/comment.ts';
import { cNames } from '../emit/identifiers.ts';
import { C_BYTES, ELEMENT_C, unsigned } from '../emit/literals.ts';
import { hashView } from '../emit/view.ts';
import { literalLines, literalsOf } from './elements.ts';
import type { WeightsView } from './view-types.ts';
import { WEIGHTS_ALIGNMENT, WEIGHTS_START, type WeightKey, type Weights } from './weights.ts';

/** Names of the weights in their structure. */
export function memberNames({ all }: Weights): ReadonlyMap<WeightKey, string> {
  const names = cNames(all.map(({ name }) => name));
  return new Map(all.map(({ key }, i) => [key, `w_${names[i]}`]));
}

/**
 * `file` and `blob`: what holds the numbers, or '' and nothing when the C does. What a compiler would skip is a member of
 * its own.
 */
export function weightsView(weights: Weights, file: string, blob: Uint8Array | undefined): WeightsView {
  const names = memberNames(weights);
  const members: WeightsView['members'][number][] = [];
  let end = WEIGHTS_START;
  const gap = (to: number): void => {
    if (to === end) return;
    const name = `gap_${members.length}`;
    members.push({ name, declaration: `uint8_t ${name}[${to - end}];`, about: 'unused', lines: [] });
  };
  for (const { key, name, type, shape, bytes, offset } of weights.all) {
    gap(offset);
    const member = names.get(key)!;
    const c = ELEMENT_C[type];
    members.push({
      name: member,
      declaration: `${c} ${member}[${bytes.length / C_BYTES[c]}];`,
      about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
      lines: file === '' ? literalLines(literalsOf(type, bytes)) : [],
    });
    end = offset + bytes.length;
  }
  gap(weights.bytes);
  return {
    bytes: unsigned(weights.bytes),
    bytesNumber: String(weights.bytes),
    alignment: String(WEIGHTS_ALIGNMENT),
    file,
    digest: blob === undefined ? '' : createHash('sha256').update(blob).digest('hex'),
    reservedNames: members.some(({ name }) => name.includes('__')),
    members,
  };
}

/** The structure as it lies in little-endian memory: the plan's hash, its size, the weights. */
export function weightsBlob(weights: Weights, planHash: string): Uint8Array {
  const blob = new Uint8Array(weights.bytes);
  const view = new DataView(blob.buffer);
  view.setBigUint64(0, BigInt(hashView(planHash).literal.replace(/u$/, '')), true);
  view.setBigUint64(8, BigInt(weights.bytes), true);
  for (const { bytes, offset } of weights.all) blob.set(bytes, offset);
  return blob;
}
