/** The jobs of a command line and the settings of a file: for each one which models, and which options hold. */
import { basename, extname, resolve } from 'node:path';
import { keyOf, optionsOf } from '../options.ts';
import type { Invocation, RawOptions } from '../program.ts';
import { mergeOptions } from './merge.ts';
import type { Config, ConfiguredModel } from './read.ts';

/**
 * Without operands every model of the configuration is meant. A model on the command line that the configuration lists
 * has the options of its entry, another one those that all models share.
 */
export function applyConfig(
  invocation: Invocation,
  config: Config,
  at: (path: string) => string,
): readonly Invocation[] {
  return modelsOf(invocation, config, at).map(({ files, options }) => ({
    command: invocation.command,
    operands: files,
    options: [known(invocation, config.shared), known(invocation, options), invocation.options].reduce(
      mergeOptions,
      config.models.length > 1 ? known(invocation, { name: stem(files) }) : {},
    ),
  }));
}

function modelsOf(
  { operands }: Invocation,
  { models }: Config,
  at: (path: string) => string,
): readonly ConfiguredModel[] {
  if (operands.length === 0 && models.length > 0) return models;
  const paths = (files: readonly string[]) => files.map((file) => resolve(at(file))).join('\0');
  const listed = models.filter(({ files }) => paths(files) === paths(operands));
  return listed.length > 0
    ? listed.map(({ options }) => ({ files: operands, options }))
    : [{ files: operands, options: {} }];
}

/** The files of several models are called after them, so that they can lie in one folder. */
function stem([file = '']: readonly string[]): string {
  return basename(file, extname(file)).replace(/[^A-Za-z0-9_+-]/g, '_') || 'model';
}

/** A configuration is for the main job; other commands take of it what they understand. */
function known({ command }: Invocation, options: RawOptions): RawOptions {
  if (command === 'plan') return options;
  const keys = new Set(optionsOf(command).flatMap(({ rows }) => rows.map(keyOf)));
  return Object.fromEntries(Object.entries(options).filter(([key]) => keys.has(key)));
}
