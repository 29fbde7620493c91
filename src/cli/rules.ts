/** Rules about single tensors, as they are written on the command line: read from the right, for names hold anything. */
import { fail } from '../errors.ts';
import type { Rule } from '../place/rule-types.ts';
import type { Faults } from './faults.ts';
import { parseAlignment, parsePair, parseSize } from './values.ts';

export interface RuleOptions {
  readonly pin?: readonly string[];
  readonly forbid?: readonly string[];
  readonly dma?: readonly string[];
  readonly alignTensor?: readonly string[];
  readonly slack?: readonly string[];
}

/** `TENSOR=REGION[@OFFSET]`. Throws E_USAGE. */
export function parsePin(flag: string, text: string): Rule {
  const { name, value } = parsePair(flag, text, '=', 'conv1=DTCM@0x100');
  const at = value.lastIndexOf('@');
  if (at < 0) return { kind: 'pin', tensor: name, region: value };
  return {
    kind: 'pin',
    tensor: name,
    region: value.slice(0, at),
    offset: parseSize(flag, value.slice(at + 1)),
  };
}

/** `TENSOR=REGION`. Throws E_USAGE. */
export function parseForbid(flag: string, text: string): Rule {
  const { name, value } = parsePair(flag, text, '=', 'input=DTCM');
  return { kind: 'forbid', tensor: name, region: value };
}

/** `TENSOR` or `TENSOR=ENGINE`; an engine is one plain word, so that a name with a sign in it can be told. */
export function parseDma(flag: string, text: string): Rule {
  const [, tensor = text, engine] = /^(.+)=([A-Za-z0-9_.-]+)$/s.exec(text) ?? [];
  if (tensor === '') return fail('E_USAGE', `${flag}: names no tensor`, { hint: `${flag} input=MDMA` });
  return { kind: 'dma', tensor, ...(engine !== undefined && { engine }) };
}

/** `TENSOR=BYTES`. Throws E_USAGE. */
export function parseAlignTensor(flag: string, text: string): Rule {
  const { name, value } = parsePair(flag, text, '=', 'input=64');
  return { kind: 'align', tensor: name, bytes: parseAlignment(flag, value) };
}

/** `TENSOR=BYTES`. Throws E_USAGE. */
export function parseSlack(flag: string, text: string): Rule {
  const { name, value } = parsePair(flag, text, '=', 'input=16');
  return { kind: 'slack', tensor: name, bytes: parseSize(flag, value) };
}

/** Every rule in the order of its kind; faults go to `found`. */
export function parseRules(options: RuleOptions, found: Faults): readonly Rule[] {
  const read = (texts: readonly string[] = [], flag: string, parse: (flag: string, text: string) => Rule) =>
    texts.flatMap((text) => found.attempt((): readonly Rule[] => [parse(flag, text)], []));
  return [
    ...read(options.pin, '--pin', parsePin),
    ...read(options.forbid, '--forbid', parseForbid),
    ...read(options.dma, '--dma', parseDma),
    ...read(options.alignTensor, '--align-tensor', parseAlignTensor),
    ...read(options.slack, '--slack', parseSlack),
  ];
}
