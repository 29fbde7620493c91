/** What examples/browser puts in the place of Node's modules does what they do. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isUtf8, Buffer as Spelled } from '../../examples/browser/node/buffer.ts';
import { createHash as hashInMemory } from '../../examples/browser/node/crypto.ts';
import { basename, dirname, join } from '../../examples/browser/node/path.ts';

describe('SHA-256', () => {
  test('of every length around the ends of blocks', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      const expected = createHash('sha256').update(bytes).digest('hex');
      expect(hashInMemory('sha256').update(bytes).digest('hex'), `${length} bytes`).toBe(expected);
    }
  });

  test('of text, and of parts of any size', () => {
    const text = 'conv1/out \u00fc \u{1f600} '.repeat(40);
    const whole = createHash('sha256').update(text, 'utf8').digest('hex');
    expect(hashInMemory('sha256').update(text).digest('hex')).toBe(whole);
    const parts = hashInMemory('sha256');
    const bytes = new TextEncoder().encode(text);
    for (let at = 0, size = 1; at < bytes.length; at += size++) parts.update(bytes.subarray(at, at + size));
    expect(parts.digest('hex')).toBe(whole);
  });
});

test.each([
  [['/models/kws.onnx', '..', 'w.bin']],
  [['/models', './w.bin']],
  [['/models/a/..', '../..', 'x']],
  [['a', 'b/../../..', 'c']],
])('paths: %j', (parts) => {
  expect(join(...parts)).toBe(posix.join(...parts));
  expect(basename(join(...parts))).toBe(posix.basename(posix.join(...parts)));
  expect(dirname(join(...parts))).toBe(posix.dirname(posix.join(...parts)));
});

test('bytes as text', () => {
  const odd = Uint8Array.of(0x61, 0xff, 0x62);
  expect(isUtf8(odd)).toBe(false);
  expect(isUtf8(new TextEncoder().encode('ü'))).toBe(true);
  expect((Spelled.from(odd) as unknown as Buffer).toString('latin1')).toBe(
    Buffer.from(odd).toString('latin1'),
  );
  expect((Spelled.from('aü') as unknown as Buffer).toString()).toBe('aü');
  expect([...Spelled.from(odd.buffer, 1, 2)]).toEqual([0xff, 0x62]);
});
