/** Turns rules about tensors into what each buffer may do: where it may lie, at which offset, how it is aligned. */

import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { JointBuffers, Member, TensorBuffer } from '../lifetime/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import type { Region } from '../target/types.ts';
import type { Chip } from './memories.ts';
import { type Rule, ruleText } from './rule-types.ts';

/** What the rules say about one buffer. */
export interface Bound {
  /** Regions by index; undefined: all that may be used without being named. */
  readonly allowed: readonly number[] | undefined;
  /** Pinned here. */
  readonly offset: number | undefined;
  readonly alignment: number;
  /** With the unused bytes behind its tensors. */
  readonly bytes: number;
  /** A DMA engine reads or writes it: it owns whole cache lines where there are any. */
  readonly dma: boolean;
  /** What binds it. */
  readonly rules: readonly Rule[];
}

export interface Ruled {
  /** By buffer. */
  readonly bounds: readonly Bound[];
  /** The regions that may be used, then those that only a pin names. */
  readonly regions: readonly Region[];
  /** The rules by the names that the plan uses. */
  readonly rules: readonly Rule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Models laid out, whose buffers lie apart in several parts where models run at once. */
export interface RuledModels {
  readonly graphs: readonly TypedGraph[];
  readonly joint: JointBuffers;
  readonly parts?: readonly (readonly number[])[] | undefined;
}

/**
 * Throws E_RULE with every rule that cannot hold: tensors that have no bytes in an arena, regions and engines that the
 * target does not have, and rules that contradict each other or the sizes of the regions.
 */
export function applyRules(
  given: readonly Rule[],
  { graphs, joint, parts }: RuledModels,
  usable: readonly Region[],
  { regions: all, line }: Chip,
): Ruled {
  const found = given.length === 0 ? new Map<string, never>() : members(graphs, joint);
  const rules = given.map((rule) => wholeName(rule, found));
  const faults: Diagnostic[] = [];
  const say = (rule: Rule, text: string, hint?: string): void => {
    const where = { tensor: rule.tensor, ...(hint === undefined ? {} : { hint }) };
    faults.push(diagnostic('E_RULE', `${ruleText(rule)}: ${text}.`, where));
  };
  const pinned = rules.flatMap((rule) =>
    rule.kind === 'pin' ? all.filter((r) => r.name === rule.region) : [],
  );
  const regions = [...new Set([...usable, ...pinned])];
  const byBuffer = new Map<number, Own[]>();
  for (const rule of rules) {
    const place = found.get(keyOf(rule));
    const wrong = wrongRule(rule, place !== undefined, graphs[rule.model ?? 0]!, all);
    if (wrong !== undefined) {
      say(rule, ...wrong);
      continue;
    }
    if (rule.kind === 'pin' && rule.offset !== undefined && (parts?.length ?? 1) > 1) {
      say(
        rule,
        'models that run at once lie one after the other, so no offset can be chosen',
        'Leave @OFFSET out.',
      );
      continue;
    }
    byBuffer.set(place!.buffer, [...(byBuffer.get(place!.buffer) ?? []), { rule, member: place!.member }]);
  }
  const diagnostics: Diagnostic[] = [];
  const unnamed = allowedUnnamed(regions, usable.length);
  const brought = inReach(unnamed, regions);
  const bounds = joint.buffers.map((buffer, index): Bound => {
    const own = byBuffer.get(index);
    if (own === undefined) {
      const { kind, alignment, bytes } = buffer;
      const allowed = kind === 'copy' ? brought : unnamed;
      return { allowed, offset: undefined, alignment, bytes, dma: false, rules: NONE };
    }
    const bound = boundOf(buffer, own, regions, usable.length, say);
    if (line > 1) checkLines(own, line, say);
    if (faults.length === 0) {
      checkPlace(bound, buffer, regions, say);
      diagnostics.push(...unknownReach(bound, regions));
    }
    return bound;
  });
  if (faults.length === 0) checkPins(bounds, joint, say);
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return { bounds, regions, rules, diagnostics };
}

/** `--dma a=b`: of a tensor called `a=b`, if there is one. */
function wholeName(rule: Rule, known: ReadonlyMap<string, unknown>): Rule {
  if (rule.kind !== 'dma' || rule.engine === undefined) return rule;
  const whole = `${rule.tensor}=${rule.engine}`;
  return known.has(keyOf({ ...rule, tensor: whole }))
    ? { kind: 'dma', tensor: whole, ...modelOf(rule) }
    : rule;
}

type Own = { readonly rule: Rule; readonly member: Member };

/** A tensor that shares a buffer begins where a line of the cache does, or others share its first line. */
function checkLines(own: readonly Own[], line: number, say: Say): void {
  for (const { rule, member } of own) {
    if (rule.kind !== 'dma' || member.offset % line === 0) continue;
    const text = `the tensor lies ${member.offset} bytes into a buffer that it shares, inside a cache line of ${line}`;
    say(rule, text, 'Keep it apart with --no-views or --no-elide.');
  }
}

function modelOf({ model }: Rule): Pick<Rule, 'model'> {
  return model === undefined ? {} : { model };
}

/** Names are unique within a model. */
function keyOf({ model = 0, tensor }: Pick<Rule, 'model' | 'tensor'>): string {
  return `${model}:${tensor}`;
}

function members(graphs: readonly TypedGraph[], { buffers }: JointBuffers) {
  const found = new Map<string, { readonly buffer: number; readonly member: Member }>();
  buffers.forEach(({ members }, buffer) => {
    for (const member of members) {
      const { name } = graphs[member.model]!.tensors[member.tensor]!;
      found.set(keyOf({ model: member.model, tensor: name }), { buffer, member });
    }
  });
  return found;
}

/** What is wrong with a rule by itself: text and hint. */
function wrongRule(
  rule: Rule,
  placed: boolean,
  graph: TypedGraph,
  all: readonly Region[],
): [string, string?] | undefined {
  if (!placed) {
    const known = graph.tensors.some(({ name }) => name === rule.tensor);
    return known
      ? ['this tensor has no bytes in an arena: it is a weight, or folded, or owned by the caller']
      : ['the model has no tensor of this name', 'memplan shapes MODEL lists the tensors.'];
  }
  if ((rule.kind === 'pin' || rule.kind === 'forbid') && !all.some(({ name }) => name === rule.region)) {
    const names = all.map(({ name }) => name).join(', ');
    return [`the target has no region ${rule.region}`, `Its regions: ${names}.`];
  }
  if (rule.kind !== 'dma' || rule.engine === undefined) return undefined;
  const engines = new Set(
    all.flatMap(({ dma }) => [...(dma?.reachable ?? []), ...(dma?.notReachable ?? [])]),
  );
  if (engines.has(rule.engine) || all.every(({ dma }) => dma === null)) return undefined;
  return [`the target has no DMA engine ${rule.engine}`, `Its engines: ${[...engines].join(', ')}.`];
}

const NONE: readonly never[] = [];

/** Where a buffer may lie that no rule speaks of. */
function allowedUnnamed(regions: readonly Region[], usable: number): Bound['allowed'] {
  return usable === regions.length ? undefined : [...regions.keys()].slice(0, usable);
}

/** Weights are brought by an engine: of the memories that may be used, into those that one reaches, if there are any. */
function inReach(allowed: readonly number[] | undefined, regions: readonly Region[]): Bound['allowed'] {
  const all = allowed ?? [...regions.keys()];
  const reached = all.filter((index) => isReached(regions[index]!, undefined));
  return reached.length === 0 || reached.length === all.length ? allowed : reached;
}

type Say = (rule: Rule, text: string, hint?: string) => void;

function boundOf(
  buffer: TensorBuffer,
  own: readonly Own[],
  regions: readonly Region[],
  usable: number,
  say: Say,
): Bound {
  let allowed = regions.map((_, index) => index);
  let { alignment, bytes } = buffer;
  let offset: number | undefined;
  let dma = false;
  const pins = own.filter(({ rule }) => rule.kind === 'pin').length;
  if (pins === 0) allowed = allowed.filter((index) => index < usable);
  for (const { rule, member } of own) {
    switch (rule.kind) {
      case 'pin': {
        allowed = allowed.filter((index) => regions[index]!.name === rule.region);
        if (rule.offset === undefined) break;
        const at = rule.offset - member.offset;
        if (at < 0) say(rule, `the tensor lies ${member.offset} bytes into its buffer`);
        else if (offset !== undefined && offset !== at)
          say(rule, `its buffer is pinned at ${offset} already`);
        offset = at;
        break;
      }
      case 'forbid':
        allowed = allowed.filter((index) => regions[index]!.name !== rule.region);
        break;
      case 'dma':
        dma = true;
        allowed = allowed.filter((index) => isReached(regions[index]!, rule.engine));
        break;
      case 'align':
        if (member.offset % rule.bytes !== 0) {
          say(
            rule,
            `the tensor lies ${member.offset} bytes into a buffer that it shares`,
            'Keep it apart with --no-views or --no-elide.',
          );
        }
        alignment = lcm(alignment, rule.bytes);
        break;
      case 'slack':
        bytes = Math.max(bytes, member.offset + member.bytes + rule.bytes);
        break;
    }
  }
  return {
    allowed,
    offset,
    alignment,
    bytes,
    dma,
    rules: own.map(({ rule }) => rule),
  };
}

/** Unknown reach is not refused: a warning says so. */
function isReached({ dma }: Region, engine: string | undefined): boolean {
  if (dma === null) return true;
  return engine === undefined ? dma.reachable.length > 0 : dma.reachable.includes(engine);
}

/** What makes a buffer impossible, said of its last rule. */
function checkPlace(bound: Bound, buffer: TensorBuffer, regions: readonly Region[], say: Say): void {
  const last = bound.rules.at(-1)!;
  const others = bound.rules.slice(0, -1).map(ruleText);
  const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`;
  const allowed = bound.allowed?.map((index) => regions[index]!) ?? regions;
  if (allowed.length === 0) {
    say(
      last,
      `no region that may be used is left for the tensor${together}`,
      'Name more of them: --region A,B.',
    );
    return;
  }
  const end = (bound.offset ?? 0) + bound.bytes;
  if (allowed.every(({ size }) => size !== null && end > size)) {
    const names = allowed.map(({ name, size }) => `${name} (${size})`).join(', ');
    const shared = buffer.members.length > 1 ? ` with what shares its bytes` : '';
    say(last, `the tensor${shared} ends at ${end} bytes, beyond ${names}`);
  }
  if (bound.offset !== undefined && bound.offset % bound.alignment !== 0) {
    const pin = bound.rules.find((rule) => rule.kind === 'pin' && rule.offset !== undefined)!;
    say(pin, `${bound.offset} is not a multiple of the alignment ${bound.alignment}`);
  }
}

/** Pins that share bytes of a region while both are live. There are few, so pairs are looked at one by one. */
function checkPins(bounds: readonly Bound[], { buffers }: JointBuffers, say: Say): void {
  const pinned = [...bounds.keys()].filter((index) => bounds[index]!.offset !== undefined);
  pinned.forEach((i, at) => {
    for (const j of pinned.slice(at + 1)) {
      const [a, b] = [bounds[i]!, bounds[j]!];
      const together = buffers[i]!.first < buffers[j]!.end && buffers[j]!.first < buffers[i]!.end;
      const touch = a.offset! < b.offset! + b.bytes && b.offset! < a.offset! + a.bytes;
      if (!together || !touch || a.allowed![0] !== b.allowed![0]) continue;
      const [rule, other] = [a, b].map(({ rules }) => rules.find(({ kind }) => kind === 'pin')!);
      say(rule!, `the tensor would share bytes with ${ruleText(other!)} while both are live`);
    }
  });
}

function unknownReach({ rules, allowed }: Bound, regions: readonly Region[]): readonly Diagnostic[] {
  const rule = rules.find(({ kind }) => kind === 'dma');
  const unknown = (allowed?.map((index) => regions[index]!) ?? regions).filter(({ dma }) => dma === null);
  if (rule === undefined || unknown.length === 0) return [];
  const names = unknown.map(({ name }) => name).join(', ');
  const text = `${ruleText(rule)}: whether a DMA engine reaches ${names} is not known; it is taken to.`;
  return [
    diagnostic('W_DMA_REACH', text, {
      tensor: rule.tensor,
      hint: 'Say it in a target file: "dma": { "reachable": ["DMA1"] }.',
    }),
  ];
}
