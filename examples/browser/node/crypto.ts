/** What memplan asks of `node:crypto`: SHA-256 at once (FIPS 180-4), where browsers have it only for those who wait. */

/** The first 32 bits of the fractions of the roots of the first primes: square roots to start, cube roots for rounds. */
const [START, ROUNDS] = constants();

function constants(): readonly [Int32Array, Int32Array] {
  const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return [
    Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p))),
    Int32Array.from(primes, (p) => fraction(Math.cbrt(p))),
  ];
}

export function createHash(_algorithm: 'sha256') {
  const state = START.slice();
  const block = new Uint8Array(64);
  let length = 0;
  const hash = {
    update(data: Uint8Array | string) {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
      for (let at = 0; at < bytes.length; ) {
        const used = length % 64;
        const part = bytes.subarray(at, at + 64 - used);
        block.set(part, used);
        length += part.length;
        at += part.length;
        if (length % 64 === 0) compress(state, block);
      }
      return hash;
    },
    digest(_form: 'hex'): string {
      const bits = length * 8;
      const padding = new Uint8Array(((119 - (length % 64)) % 64) + 9);
      padding[0] = 0x80;
      new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(bits));
      hash.update(padding);
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
  return hash;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Int32Array, block: Uint8Array): void {
  const words = new Int32Array(64);
  const view = new DataView(block.buffer);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(4 * i);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [words[i - 15]!, words[i - 2]!];
    const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words[i] = words[i - 16]! + low + words[i - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROUNDS[i]! + words[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i]! += word;
  });
}
