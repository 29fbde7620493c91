/** The options of the main job as a request to the planner, with every default filled in. */
import { diagnostic, fail } from '../errors.ts';
import type { Layout } from '../kernels/types.ts';
import { type PlanRequest, REQUEST_DEFAULTS } from '../plan/request.ts';
import { nearestNames } from '../target/nearest.ts';
import type { KernelBuild } from '../target/types.ts';
import { type BindingOptions, parseBindings, parseBuckets, parseBuffers, parseEachOnce } from './bindings.ts';
import type { Faults } from './faults.ts';
import { readTextFile } from './files.ts';
import { COMMANDS } from './help.ts';
import { parsePrefix } from './names.ts';
import { parseRules, type RuleOptions } from './rules.ts';
import {
  parseAlignment,
  parseBits,
  parseCount,
  parseList,
  parsePair,
  parsePositiveSize,
  parseRegionBytes,
  parseReserve,
  parseSize,
} from './values.ts';

/** What commander leaves of the options that shape a plan. */
export interface PlanOptions extends BindingOptions, RuleOptions {
  readonly target?: string;
  readonly prefix?: readonly string[];
  readonly nameLength?: string;
  readonly run?: PlanRequest['run'];
  readonly weights?: PlanRequest['weights'];
  readonly flash?: string;
  readonly weightBits?: string;
  readonly group?: readonly string[];
  readonly hold?: readonly string[];
  readonly link?: readonly string[];
  readonly state?: readonly string[];
  readonly buffers?: readonly string[];
  readonly align?: string;
  readonly sizeRound?: string;
  readonly io?: PlanRequest['io'];
  readonly asyncIo?: boolean;
  readonly preserveInputs?: boolean;
  readonly keep?: readonly string[];
  readonly inPlace?: boolean;
  readonly inPlaceInputs?: boolean;
  readonly views?: boolean;
  readonly elide?: boolean;
  readonly schedule?: PlanRequest['schedule'];
  readonly strategy?: string;
  readonly effort?: string;
  readonly kernels?: string;
  readonly kernelsVersion?: string;
  readonly kernelsBuild?: KernelBuild;
  readonly layout?: Layout;
  readonly scratch?: readonly string[];
  readonly trust?: 'unproved';
  readonly guard?: string;
  readonly fuse?: 'none' | 'default';
  readonly assume?: 'int8';
  readonly region?: string;
  readonly place?: PlanRequest['place'];
  readonly mpu?: boolean;
  readonly reserve?: readonly string[];
  readonly budget?: readonly string[];
}

/**
 * Builds the request. Faults go to `found`; the request is complete only when there are none.
 * `at` finds a path that was given relative to the working directory.
 */
export function readRequest(
  models: readonly string[],
  options: PlanOptions,
  at: (path: string) => string,
  found: Faults,
): PlanRequest {
  checkOperands(models, options, found);
  const { target = '' } = options;
  const read = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
    text === undefined ? undefined : found.attempt(() => parse(text), undefined);
  const defaults = REQUEST_DEFAULTS;
  return {
    models: models.map(at),
    target: targetPath(target, at),
    bindings: parseBindings(options, found),
    buckets: parseBuckets(options.bucket, found),
    run: options.run ?? defaults.run,
    group: options.group ?? defaults.group,
    hold: options.hold ?? defaults.hold,
    link: options.link ?? defaults.link,
    states: (options.state ?? []).map(parseState),
    buffers: parseEachOnce('--buffers', options.buffers, parseBuffers, found),
    ...parsePrefixes(options.prefix ?? [], found),
    nameLength: read(options.nameLength, (text) => parseCount('--name-length', text, 1)),
    align: read(options.align, (text) => parseAlignment('--align', text)),
    sizeRound:
      read(options.sizeRound, (text) => parsePositiveSize('--size-round', text)) ?? defaults.sizeRound,
    io: options.io ?? defaults.io,
    asyncIo: options.asyncIo ?? defaults.asyncIo,
    preserveInputs: options.preserveInputs ?? defaults.preserveInputs,
    keep: options.keep ?? defaults.keep,
    inPlace: options.inPlace ?? defaults.inPlace,
    inPlaceInputs: options.inPlaceInputs ?? defaults.inPlaceInputs,
    views: options.views ?? defaults.views,
    elide: options.elide ?? defaults.elide,
    schedule: options.schedule ?? defaults.schedule,
    strategy: options.strategy ?? defaults.strategy,
    effort: read(options.effort, (text) => parseCount('--effort', text, 1)),
    kernels: options.kernels,
    kernelsVersion: options.kernelsVersion,
    kernelsBuild: options.kernelsBuild,
    layout: options.layout,
    scratch: parseScratch(options.scratch ?? [], at, found),
    guard: read(options.guard, (text) => parseSize('--guard', text)) ?? defaults.guard,
    trustUnproved: options.trust === 'unproved',
    fuse: options.fuse,
    assume: options.assume,
    scaleInput: undefined,
    regions: read(options.region, (text) => parseList('--region', text)) ?? defaults.regions,
    place: options.place ?? defaults.place,
    rules: parseRules(options, found),
    weights: options.weights ?? defaults.weights,
    flash: read(options.flash, (text) => parseSize('--flash', text)),
    weightBits: read(options.weightBits, (text) => parseBits('--weight-bits', text)),
    mpu: options.mpu ?? defaults.mpu,
    reserve: byRegion('--reserve', options.reserve ?? [], found),
    budget: byRegion('--budget', options.budget ?? [], found),
  };
}

function checkOperands(models: readonly string[], options: PlanOptions, found: Faults): void {
  const meant = meantCommand(models[0] ?? '');
  if (meant !== undefined) {
    const hint = `did you mean memplan ${meant}? A model of that name is ./${models[0]}`;
    found.add(diagnostic('E_USAGE', `there is no command "${models[0]}"`, { hint }));
    return;
  }
  if (models.length === 0) {
    found.add(diagnostic('E_USAGE', 'no model is given', { hint: 'memplan model.onnx --target stm32h743' }));
  }
  if (options.target === undefined) {
    found.add(
      diagnostic('E_USAGE', 'no target is given', {
        hint: '--target stm32h743, or a file; memplan targets lists what is built in',
      }),
    );
  }
}

/** The command that was meant by a word that is nearly its name. */
function meantCommand(word: string): string | undefined {
  return /^[a-z]+$/.test(word)
    ? nearestNames(
        word,
        COMMANDS.map(({ name }) => name),
      )[0]
    : undefined;
}

/** A target that is a file has a folder or the extension .json in its name. */
export function isTargetFile(target: string): boolean {
  return /[/\\]|\.(json|mpool)$/i.test(target);
}

export function targetPath(target: string, at: (path: string) => string): string {
  return isTargetFile(target) ? at(target) : target;
}

/** `REGION=BYTES` entries; for budgets also plain `BYTES`, which is the budget of the whole. */
function byRegion(
  flag: '--reserve' | '--budget',
  texts: readonly string[],
  found: Faults,
): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const text of texts) {
    found.attempt(() => {
      const entry = flag === '--budget' ? parseRegionBytes(flag, text) : parseReserve(flag, text);
      if (bytes.has(entry.name)) fail('E_USAGE', `${flag}: ${entry.name || 'the whole'} is given twice`);
      bytes.set(entry.name, entry.bytes);
    }, undefined);
  }
  return bytes;
}

/** `OUT=IN`, or a tensor alone. */
function parseState(text: string): PlanRequest['states'][number] {
  const at = text.lastIndexOf('=');
  if (at < 1) return { tensor: text.slice(at + 1), from: undefined };
  return { tensor: text.slice(at + 1), from: text.slice(0, at) };
}

/** `NAME` for the whole, `MODEL=NAME` for one of several models. */
function parsePrefixes(texts: readonly string[], found: Faults): Pick<PlanRequest, 'prefix' | 'prefixes'> {
  const prefixes = new Map<string, string>();
  for (const text of texts) {
    found.attempt(() => {
      const { name, value } = parsePrefix('--prefix', text);
      if (prefixes.has(name)) fail('E_USAGE', `--prefix: ${name || 'the whole'} is given twice`);
      prefixes.set(name, value);
    }, undefined);
  }
  const prefix = prefixes.get('');
  prefixes.delete('');
  return { prefix, prefixes };
}

/** `NODE=BYTES` entries, and `@FILE` with one of them a line; the last one for a node counts. */
function parseScratch(
  texts: readonly string[],
  at: (path: string) => string,
  found: Faults,
): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const text of texts) {
    const isFile = text.startsWith('@') && !text.includes('=');
    const lines = found.attempt(() => (isFile ? readTextFile(at(text.slice(1))).split(/\r?\n/) : [text]), []);
    for (const line of lines.filter((entry) => entry.trim() !== '')) {
      found.attempt(() => {
        const { name, value } = parsePair('--scratch', line, '=', 'conv1=4K');
        const size = parseSize('--scratch', isFile ? value.trim() : value);
        bytes.set(isFile ? name.trim() : name, size);
      }, undefined);
    }
  }
  return bytes;
}
