/** Sizes that an MPU can protect: what becomes of an arena that is to be one region of it. */

/** PMSAv7: regions of 2^n bytes from 32 on, in eight parts that can be left out from 256 on. */
const V7_LEAST = 32;
const V7_LEAST_IN_PARTS = 256;
const V7_PARTS = 8;
/** PMSAv8: any multiple of 32 bytes. */
const V8_STEP = 32;

export type Mpu = 'PMSAv7' | 'PMSAv8';

export interface MpuRegion {
  readonly mpu: Mpu;
  /** What the arena takes: whole parts of the region. */
  readonly bytes: number;
  /** Of the arena's base. */
  readonly alignment: number;
  /** Size of the region that the MPU is given; more than `bytes` where parts of it are left out. */
  readonly regionBytes: number;
  /** Parts at its end that are left out: bits of the subregion-disable field, from the topmost down. */
  readonly partsLeftOut: number;
}

/** The smallest region around an arena of so many bytes. */
export function mpuRegion(mpu: Mpu, used: number): MpuRegion {
  if (mpu === 'PMSAv8') {
    const bytes = Math.max(V8_STEP, Math.ceil(used / V8_STEP) * V8_STEP);
    return { mpu, bytes, alignment: V8_STEP, regionBytes: bytes, partsLeftOut: 0 };
  }
  let size = V7_LEAST;
  while (size < used) size *= 2;
  if (size < V7_LEAST_IN_PARTS)
    return { mpu, bytes: size, alignment: size, regionBytes: size, partsLeftOut: 0 };
  const part = size / V7_PARTS;
  const parts = Math.max(1, Math.ceil(used / part));
  return { mpu, bytes: parts * part, alignment: size, regionBytes: size, partsLeftOut: V7_PARTS - parts };
}

/**
 * The most bytes that an arena may use so that its region still fits into memory at `origin`, `room` bytes large.
 * An origin that is not known is taken to be aligned as needed.
 */
export function mpuRoom(mpu: Mpu, origin: number | null, room: number): number {
  if (room === Number.POSITIVE_INFINITY) return room;
  const from = origin ?? 0;
  if (mpu === 'PMSAv8') return Math.floor((room - padding(from, V8_STEP)) / V8_STEP) * V8_STEP;
  let most = 0;
  for (let size = V7_LEAST; size <= 2 * room; size *= 2) {
    const left = room - padding(from, size);
    const part = size < V7_LEAST_IN_PARTS ? size : size / V7_PARTS;
    most = Math.max(most, Math.min(size, Math.floor(left / part) * part));
  }
  return Math.max(0, most);
}

/** Bytes from the address to the next multiple. */
function padding(address: number, alignment: number): number {
  return (alignment - (address % alignment)) % alignment;
}
