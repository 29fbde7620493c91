/** Reads a configuration: every entry becomes the option it stands for, and every fault names its place in the file. */
import { isAbsolute, join } from 'node:path';
import { diagnostic } from '../../errors.ts';
import { inline } from '../../report/json.ts';
import { shortened } from '../../report/text.ts';
import { nearestNames } from '../../target/nearest.ts';
import { checkValue } from '../check-options.ts';
import { type Faults, faults } from '../faults.ts';
import type { OptionRow } from '../option-types.ts';
import type { RawOptions } from '../program.ts';
import { isTargetFile } from '../request.ts';
import type { ConfigSource } from './find.ts';
import { exampleEntry, expectedText, formOf, rawValue, wrong } from './forms.ts';
import { configRows } from './keys.ts';

export interface ConfiguredModel {
  /** Paths, as one would type them from the working directory; several are planned together. */
  readonly files: readonly string[];
  readonly options: RawOptions;
}

export interface Config {
  /** The file, as one would type it. */
  readonly path: string;
  /** What holds for every model. */
  readonly shared: RawOptions;
  readonly models: readonly ConfiguredModel[];
}

type Entries = Readonly<Record<string, unknown>>;

interface Reader {
  readonly source: ConfigSource;
  readonly rows: ReadonlyMap<string, OptionRow>;
  readonly found: Faults;
  /** How a place such as `models[0].budget` is called in messages. */
  readonly label: (place: string) => string;
}

const MODELS_EXAMPLE = '"models": ["kws.onnx", { "file": "vww.onnx", "target": "stm32f746" }]';
const MOST_SHOWN = 40;

/** Throws E_CONFIG: all faults of the file together. */
export function readConfig(source: ConfigSource): Config {
  const found = faults();
  const label = (place: string) => {
    const at = [source.root, place].filter((part) => part !== '').join('.');
    return at === '' ? source.path : `${source.path}: ${at}`;
  };
  const config = readRoot({ source, rows: configRows(), found, label });
  found.finish();
  return config;
}

function readRoot(reader: Reader): Config {
  const { value, path } = reader.source;
  if (!isObject(value)) {
    report(reader, '', `expected an object, found ${shown(value)}`, '{ "target": "stm32h743" }');
    return { path, shared: {}, models: [] };
  }
  const { $schema: _, models = [], ...entries } = value;
  const shared = readEntries(reader, entries, '', ['$schema', 'models']);
  if (Array.isArray(models)) {
    return { path, shared, models: models.flatMap((model, index) => readModel(reader, model, index)) };
  }
  report(reader, 'models', `expected a list, found ${shown(models)}`, MODELS_EXAMPLE);
  return { path, shared, models: [] };
}

/** A path, or an object with `file` (or `files`, planned together) and options. */
function readModel(reader: Reader, model: unknown, index: number): ConfiguredModel[] {
  const place = `models[${index}]`;
  const { file, files, ...entries } = isObject(model) ? model : { file: model };
  const options = readEntries(reader, entries, place, ['file', 'files']);
  const named = file === undefined ? files : [file];
  if (file !== undefined && files !== undefined) {
    report(
      reader,
      place,
      'has both "file" and "files"',
      '"files": ["a.onnx", "b.onnx"] are planned together',
    );
  } else if (Array.isArray(named) && named.length > 0 && named.every((path) => typeof path === 'string')) {
    return [{ files: named.map((path: string) => rebased(path, reader.source.folder)), options }];
  } else {
    report(
      reader,
      place,
      `expected a path or an object with a "file", found ${shown(model)}`,
      MODELS_EXAMPLE,
    );
  }
  return [];
}

/** `others` are keys that may stand here besides those of options. */
function readEntries(reader: Reader, entries: Entries, place: string, others: readonly string[]): RawOptions {
  const options: Record<string, RawOptions[string]> = {};
  for (const [key, value] of Object.entries(entries)) {
    const at = place === '' ? key : `${place}.${key}`;
    const row = reader.rows.get(key);
    if (row === undefined) reportUnknown(reader, key, at, others);
    else options[key] = readValue(reader, value, row, at);
  }
  return options;
}

function readValue(reader: Reader, value: unknown, row: OptionRow, at: string): RawOptions[string] {
  const form = formOf(row);
  const hint = exampleEntry(row);
  const raw = rawValue(value, form);
  if (raw === wrong) {
    report(reader, at, `expected ${expectedText(form)}, found ${shown(value)}`, hint);
    return undefined;
  }
  for (const text of Array.isArray(raw) ? raw : [raw]) {
    if (typeof text === 'string') checkText(reader, row, text, at, hint);
  }
  if (typeof raw !== 'string' || row.path === undefined) return raw;
  return row.path === 'file' || isTargetFile(raw) ? rebased(raw, reader.source.folder) : raw;
}

/** What the command line would find wrong with the value, said of its place in the file. */
function checkText({ found, label }: Reader, row: OptionRow, text: string, at: string, hint: string): void {
  const own = faults();
  checkValue(row, label(at), text, own);
  for (const fault of own.all()) {
    found.add(fault.code === 'E_USAGE' ? { ...fault, code: 'E_CONFIG', hint } : fault);
  }
}

function reportUnknown(reader: Reader, key: string, at: string, others: readonly string[]): void {
  const { rows } = reader;
  const [near] = nearestNames(key, [...rows.keys(), ...others]);
  const meant = near === undefined ? undefined : rows.get(near);
  report(
    reader,
    at,
    near === undefined ? 'there is no such key' : `there is no such key; did you mean "${near}"?`,
    meant === undefined ? `the keys are ${[...others, ...rows.keys()].join(', ')}` : exampleEntry(meant),
  );
}

function report({ found, label }: Reader, place: string, text: string, hint: string): void {
  found.add(diagnostic('E_CONFIG', `${label(place)}: ${text}`, { hint }));
}

/** Where a path leads that starts from the folder of the configuration. */
function rebased(path: string, folder: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return shortened(inline(value), MOST_SHOWN);
}
