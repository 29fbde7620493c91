/** Command lines of the main job at random: options with values that may suit the model, the chip and one another, or not. */
import { OPTION_GROUPS } from '../../src/cli/option-table.ts';
import type { OptionRow } from '../../src/cli/option-types.ts';

/** What the values of a command line may name. */
export interface Names {
  readonly tensors: readonly string[];
  readonly inputs: readonly string[];
  readonly steps: readonly string[];
}

/** An integer in [0, below). */
type Random = (below: number) => number;

/** Makes the value of an option. */
type Value = (one: <T>(from: readonly T[]) => T, names: Names) => string;

const TARGETS = [
  'stm32h743',
  'stm32f746',
  'stm32h723',
  'mimxrt1062',
  'stm32n657x0',
  'cortex-m4',
  'cortex-m7',
  'cortex-a53',
];
const REGIONS = ['main', 'AXISRAM', 'DTCM', 'AXISRAM,DTCM', 'DTCM,AXISRAM'];
const BYTES = ['0', '1', '16', '100', '4K', '1M'];

const tensor = (one: <T>(from: readonly T[]) => T, { tensors }: Names) =>
  one(['nothing', ...tensors, ...tensors]);
const input = (one: <T>(from: readonly T[]) => T, { inputs }: Names) =>
  one(['nothing', ...inputs, ...inputs]);

/** Of options whose values the table cannot list. Those of one run, of files and of templates are left alone. */
const VALUES: Readonly<Record<string, Value>> = {
  dim: (one) => one(['*=1', '*=3', '*=1..4']),
  'input-shape': (one, names) => `${input(one, names)}:${one(['1', '1,3,32,32', '2,8'])}`,
  'op-shape': (one, { steps }) => `${one(['nothing', ...steps])}:${one(['float32,1,8', 'int8,4'])}`,
  bucket: (one) => one(['batch=1,2', 'seq=8,16', 'N=1,4']),
  'scale-input': (one) => one(['0.5', '0.5,1,2']),
  'max-size': (one, names) => `${tensor(one, names)}=${one(['10', '1000'])}`,
  state: (one, names) => one([tensor(one, names), `${tensor(one, names)}=${input(one, names)}`]),
  group: (one) => one(['1', 'joint:1,2', 'a,b']),
  hold: tensor,
  link: (one, names) => `${tensor(one, names)}=${input(one, names)}`,
  name: (one) => one(['plan', 'a b', '../x']),
  prefix: (one) => one(['abc', '1x']),
  section: (one) => one(['AXISRAM=.bss.ai', '=.noinit', 'DTCM=.dtcm']),
  'size-round': (one) => one(['1', '4', '32', '7']),
  align: (one) => one(['1', '4', '16', '64', '3']),
  keep: tensor,
  'name-length': (one) => one(['8', '31', '63']),
  'weight-bits': (one) => one(['1', '4', '8', '9']),
  strategy: (one) => one(['auto', 'exact', 'size', 'urgency', 'ping-pong', 'pool', 'two-ended', 'skyline']),
  effort: (one) => one(['100', '5000']),
  'kernels-version': (one) => one(['5', '6.0.0', '7', 'x']),
  scratch: (one, { steps }) => `${one(['nothing', '#0', ...steps])}=${one(BYTES)}`,
  guard: (one) => one(['0', '1', '32']),
  region: (one) => one(REGIONS),
  reserve: (one) => `${one(REGIONS)}=${one(BYTES)}`,
  pin: (one, names) => `${tensor(one, names)}=${one(REGIONS)}${one(['', '@0', '@64', '@1024'])}`,
  forbid: (one, names) => `${tensor(one, names)}=${one(REGIONS)}`,
  dma: (one, names) => `${tensor(one, names)}${one(['', '=DMA1', '=MDMA'])}`,
  buffers: (one, names) => `${input(one, names)}=${one(['2', '3'])}`,
  'align-tensor': (one, names) => `${tensor(one, names)}=${one(['8', '64', '128', '12'])}`,
  slack: (one, names) => `${tensor(one, names)}=${one(['0', '1', '100'])}`,
  flash: (one) => one(['1K', '100M']),
  budget: (one) => `${one(['', 'AXISRAM='])}${one(BYTES)}`,
};

const LEFT_ALONE = new Set([
  ...[
    'target',
    'out',
    'emit',
    'templates',
    'depfile',
    'stamp',
    'baseline',
    'max-growth',
    'check',
    'config',
    'no-config',
  ],
  ...['anytime', 'watch', 'report', 'debug', 'verbose', 'quiet', 'color', 'no-color'],
]);

interface Drawn {
  readonly flag: string;
  readonly value: Value | undefined;
}

/** Options of the main job, by the table. Throws for a new one that this file does not know. */
export function drawnOptions(): readonly Drawn[] {
  const rows = OPTION_GROUPS.flatMap((group) => group.rows).filter(({ commands }) =>
    commands.includes('plan'),
  );
  return [...new Map(rows.map((row) => [row.flags, row])).values()].flatMap(drawn);
}

function drawn({ flags, values, list }: OptionRow): readonly Drawn[] {
  const [, name, takes] = /--([\w-]+)( <.*>)?$/.exec(flags)!;
  if (LEFT_ALONE.has(name!)) return [];
  const flag = `--${name}`;
  if (takes === undefined) return [{ flag, value: undefined }];
  const made = VALUES[name!];
  if (made !== undefined) return [{ flag, value: made }];
  if (values === undefined) throw new Error(`${flag} has no values to draw from`);
  return [{ flag, value: (one) => (list ? [one(values), one(values)].join(',') : one(values)) }];
}

const EMITS = [
  'h,c,json',
  'h,c,json,html,svg',
  'h,c,json,csv,md,trace,ld',
  'h,c,json,pool',
  'h,c,json,runner',
];

/** The arguments after the models, without --out. */
export function commandLine(random: Random, options: readonly Drawn[], names: Names): readonly string[] {
  const one = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const args = ['--target', one(TARGETS), '--emit', one(EMITS)];
  if (random(4) > 0) args.push('--dim', one(['*=1', '*=2', '*=1..3']));
  for (let left = random(5); left > 0; left--) {
    const { flag, value } = one(options);
    args.push(flag, ...(value === undefined ? [] : [value(one, names)]));
  }
  return args;
}
