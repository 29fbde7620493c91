/** The static offset table: its columns, each as narrow as the plan allows, and its rows. */
import { numberOfType } from '../graph/data-types.ts';
import type { Quant } from '../graph/types.ts';
import type { How, Plan, PlanTensor } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { float, signed, unsigned, unsignedType } from './literals.ts';
import { rowsOf } from './rows.ts';
import type { RegionView, TableView } from './view-types.ts';

/** Values of the column `how`. */
export const HOW: readonly How[] = ['own', 'view', 'in-place', 'elided', 'external'];

/** Value of the column `region` for a tensor that the caller owns. */
export const NO_REGION = 0xff;

/** The columns that the X-macro hands over, behind the tensor's C name. */
const ARGUMENTS = ['offset', 'size', 'region', 'first', 'end', 'type', 'rank', 'how'];

interface Column {
  readonly name: string;
  readonly about: string;
  readonly value: (tensor: PlanTensor, index: number) => number;
  /** Shown instead of the number. */
  readonly token?: (tensor: PlanTensor, index: number) => string;
}

/** How tensors and regions are called in C. */
export interface Names {
  readonly p: string;
  readonly P: string;
  readonly tensorMacro: (tensor: PlanTensor) => string;
  readonly regionOf: ReadonlyMap<string, RegionView>;
}

/** Columns, rows, and the arrays of dimensions and quantisation parameters that rows point into. */
export function buildTable(plan: Plan, names: Names): Omit<TableView, 'none' | 'const' | 'xmacro'> {
  const dims = pool<number>((shape) => shape.join());
  const quants = pool<readonly [scale: number, zeroPoint: number]>(JSON.stringify);
  const at = plan.tensors.map((t) => {
    const pairs = pairsOf(t.quant);
    return { shape: dims.add(t.shape), quant: quants.add(pairs), channels: pairs.length };
  });
  const columns = columnsOf(plan, names, at);
  const most = columns.map((c) => plan.tensors.reduce((max, t, i) => Math.max(max, c.value(t, i)), 0));
  const types = most.map(unsignedType);
  const order = columns.map((_, i) => i).sort((a, b) => width(types[b]!) - width(types[a]!) || a - b);
  const sorted = order.map((i) => ({ ...columns[i]!, type: types[i]! }));
  const given = ARGUMENTS.map((name) => columns.find((c) => c.name === name)!);
  const longest = Math.max(...sorted.map(({ type, name }) => `${type} ${name};`.length));
  return {
    fields: sorted.map(({ type, name, about }) => {
      return { name, declaration: `${type} ${name};`.padEnd(longest), about };
    }),
    dimType: unsignedType(dims.items.reduce((a, b) => Math.max(a, b), 0)),
    shapes: dims.groups.length === 0 ? ['1u'] : dims.groups.map((g) => g.map(unsigned).join(', ')),
    dimCount: unsigned(Math.max(1, dims.items.length)),
    quants: (quants.items.length === 0 ? [[1, 0] as const] : quants.items).map(([scale, zeroPoint]) => ({
      scale: float(scale),
      zeroPoint: signed(zeroPoint),
    })),
    quantCount: unsigned(Math.max(1, quants.items.length)),
    indexes: rowsOf(plan.tensors, (t, i) => {
      return { name: `${plan.models[t.model]!.cPrefix}_I_${t.c}`, code: String(i) };
    }),
    rows: rowsOf(plan.tensors, (t, i) => {
      return {
        index: String(i),
        name: commentText(t.name),
        row: sorted.map((c) => token(c, t, i)).join(', '),
      };
    }),
    lists: plan.models.map(({ cPrefix }, model) => {
      const own = [...plan.tensors.keys()].filter((i) => plan.tensors[i]!.model === model);
      const row = (t: PlanTensor, i: number) => [t.c, ...given.map((c) => token(c, t, i))].join(', ');
      return { P: cPrefix, arguments: rowsOf(own, (i) => row(plan.tensors[i]!, i)) };
    }),
  };
}

function token(column: Column, tensor: PlanTensor, index: number): string {
  return column.token?.(tensor, index) ?? unsigned(column.value(tensor, index));
}

type Pooled = readonly { readonly shape: number; readonly quant: number; readonly channels: number }[];

function columnsOf(plan: Plan, names: Names, at: Pooled): readonly Column[] {
  const { p, P } = names;
  const indexOf = plan.models.map(() => new Map<string, number>());
  for (const [i, t] of plan.tensors.entries()) indexOf[t.model]!.set(t.name, i);
  const placed = (t: PlanTensor, suffix: string) => `${names.tensorMacro(t)}${suffix}`;
  return [
    {
      name: 'offset',
      about: 'bytes from the start of its arena',
      value: (t) => t.offset ?? 0,
      token: (t) => (t.offset === null ? '0u' : placed(t, '_OFFSET')),
    },
    { name: 'size', about: 'bytes', value: (t) => t.bytes, token: (t) => placed(t, '_SIZE') },
    { name: 'first', about: 'first step of its life', value: (t) => t.first },
    { name: 'end', about: 'the step after its last', value: (t) => t.end },
    {
      name: 'alias',
      about: 'index of the tensor whose bytes it shares, else its own',
      value: (t, i) => (t.aliasOf === null ? i : (indexOf[t.model]!.get(t.aliasOf) ?? i)),
    },
    { name: 'shape', about: `its first dimension in ${p}_dims`, value: (_, i) => at[i]!.shape },
    { name: 'quant', about: `its first entry in ${p}_quants`, value: (_, i) => at[i]!.quant },
    {
      name: 'quant_count',
      about: '0: not quantised; 1: one scale; else one per channel',
      value: (_, i) => at[i]!.channels,
    },
    { name: 'quant_axis', about: 'the axis of the channels', value: (t) => t.quant?.axis ?? 0 },
    {
      name: 'region',
      about: `${P}_REGION_*`,
      value: () => NO_REGION,
      token: (t) => (t.region === null ? `${P}_NO_REGION` : names.regionOf.get(t.region)!.indexMacro),
    },
    {
      name: 'type',
      about: `${P}_TYPE_*`,
      value: (t) => numberOfType(t.type),
      token: (t) => `${P}_TYPE_${t.type.toUpperCase()}`,
    },
    { name: 'rank', about: 'number of dimensions', value: (t) => t.shape.length },
    {
      name: 'how',
      about: `${P}_HOW_*`,
      value: (t) => HOW.indexOf(t.how),
      token: (t) => `${P}_HOW_${howName(t.how)}`,
    },
    ...(plan.tensors.some(({ sizes }) => sizes !== undefined)
      ? [
          {
            name: 'varies',
            about: '1: size and shape are the largest that a run may have',
            value: ({ sizes }: PlanTensor) => (sizes === undefined ? 0 : 1),
          },
        ]
      : []),
  ];
}

/** `IN_PLACE` */
export function howName(how: How): string {
  return how.replace('-', '_').toUpperCase();
}

function width(type: string): number {
  return Number(/\d+/.exec(type)![0]);
}

/** Scale and zero point per channel; none where C cannot state them. */
function pairsOf(quant: Quant | null): readonly (readonly [number, number])[] {
  if (quant === null) return [];
  const pairs = quant.scale.map((s, i) => [s, quant.zeroPoint[i] ?? quant.zeroPoint[0] ?? 0] as const);
  const stated = ([scale, zero]: readonly [number, number]) =>
    Number.isFinite(Math.fround(scale)) && Number.isInteger(zero) && zero === (zero | 0);
  return pairs.every(stated) ? pairs : [];
}

/** Groups of values in one array; equal groups, which have one key, are stored once. */
function pool<T>(keyOf: (group: readonly T[]) => string) {
  const items: T[] = [];
  const groups: (readonly T[])[] = [];
  const known = new Map<string, number>();
  const add = (group: readonly T[]): number => {
    if (group.length === 0) return 0;
    const key = keyOf(group);
    const at = known.get(key) ?? items.length;
    if (known.has(key)) return at;
    known.set(key, at);
    groups.push(group);
    items.push(...group);
    return at;
  };
  return { items, groups, add };
}
