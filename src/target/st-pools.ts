/** ST's lists of memory pools (of the Neural-ART compiler and ST Edge AI) as targets. */
import type { RegionDraft, TargetDraft } from './draft.ts';
import type { Faults } from './fields.ts';

/** `KBYTES` is 1024: files of STM32N6 place a pool at 855360 KBYTES, which is AXISRAM6 (0x34350000) with 1024 alone. */
const MAGNITUDES: Readonly<Record<string, number>> = {
  BYTES: 1,
  KBYTES: 1024,
  MBYTES: 1024 ** 2,
  GBYTES: 1024 ** 3,
};

/** The only chips with the engine whose compiler reads such files with these words in them. */
const NEURAL_ART = 'stm32n657x0';
const NEURAL_ART_WORDS = ['cacheinfo', 'mem_file_prefix', 'memFilePrefix'];

export interface PoolsTarget {
  readonly draft: TargetDraft;
  /** The built-in target of whose core and alignments it is; undefined: the file does not say. */
  readonly chip: string | undefined;
  /** What was taken to be meant. */
  readonly remarks: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** `{ "memory": { "mempools": [...] } }` */
export function isPoolList(value: unknown): value is Json {
  return Array.isArray(asObject(asObject(value).memory).mempools);
}

/**
 * One region for each pool that can be written and has bytes. `name` becomes the id; `regionsOf` gives the regions of
 * a built-in target, whose memories of the same name say what they need before they work. Faults carry their place.
 */
export function readPools(
  file: Json,
  name: string,
  regionsOf: (chip: string) => readonly RegionDraft[],
  faults: Faults,
): PoolsTarget {
  const memory = asObject(file.memory);
  const words = NEURAL_ART_WORDS.some((word) => Object.hasOwn(memory, word));
  const extended = typeof file.extends === 'string' ? file.extends : undefined;
  const chip = extended ?? (words ? NEURAL_ART : undefined);
  const known = chip === undefined ? [] : regionsOf(chip);
  const left: string[] = [];
  const regions = (memory.mempools as readonly unknown[]).flatMap((pool, at) => {
    const region = readPool(asObject(pool), `memory.mempools[${at}]`, known, faults);
    if (region === undefined) left.push(poolName(asObject(pool)));
    return region === undefined ? [] : [region];
  });
  const skipped = left.length === 0 ? '' : ` Left out, as empty or read-only: ${left.join(', ')}.`;
  const remarks = [
    `${name} is a list of memory pools in the form of ST: KBYTES are 1024 bytes.${skipped}`,
    ...(extended === undefined && chip !== undefined
      ? [`The core and its alignments are those of ${chip}.`]
      : []),
  ];
  const cpu = asObject(file.cpu);
  const core = typeof cpu.core === 'string' ? { cpu: { core: cpu.core } } : {};
  return { draft: { id: idOf(name), regions, notes: remarks.join(' '), ...core }, chip, remarks };
}

function readPool(
  pool: Json,
  path: string,
  known: readonly RegionDraft[],
  faults: Faults,
): RegionDraft | undefined {
  const prop = asObject(pool.prop);
  const size = readBytes(pool.size, `${path}.size`, faults);
  const rights = prop.rights ?? pool.rights;
  if (size === 0 || rights === 'ACC_READ') return undefined;
  const origin =
    pool.offset === undefined ? null : (readBytes(pool.offset, `${path}.offset`, faults) ?? null);
  const memory = String(pool.fname ?? pool.name ?? '');
  const init = known.find((region) => region.name === memory)?.init;
  const outside = prop.latency === 'HIGH';
  return {
    name: poolName(pool),
    origin,
    ...(size !== undefined && { size }),
    kind: outside ? 'ext' : 'sram',
    speedRank: outside ? 5 : prop.latency === 'LOW' ? 1 : 2,
    ...(origin === 0 && { usableForData: false }),
    ...(init !== undefined && { init }),
    ...(memory !== '' && { notes: memory }),
  };
}

/** `{ "value": "448", "magnitude": "KBYTES" }`, or a bare number of bytes. */
function readBytes(value: unknown, path: string, faults: Faults): number | undefined {
  const { value: count, magnitude = 'BYTES' } = typeof value === 'object' ? asObject(value) : { value };
  const unit = MAGNITUDES[String(magnitude)];
  const number =
    typeof count === 'number'
      ? count
      : Number(typeof count === 'string' && count.trim() !== '' ? count : Number.NaN);
  const bytes = number * (unit ?? Number.NaN);
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  faults.push(
    `${path}: expected { "value": bytes, "magnitude": "BYTES", "KBYTES" or "MBYTES" }, found ${JSON.stringify(value)}`,
  );
  return undefined;
}

/** Names are plain: they end up on the command line and in C. */
function poolName(pool: Json): string {
  return idOf(String(pool.name ?? pool.fname ?? 'pool'));
}

function idOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[_.-]+/, '');
  return plain === '' ? 'pools' : plain;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
