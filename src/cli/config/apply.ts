/** The jobs of a command line and a configuration: for each one which models, and which options hold. */
import { basename, extname, resolve } from 'node:path';
import { keyOf, optionsOf } from '../options.ts';
import type { Invocation, RawOptions } from '../program.ts';
import { findConfig } from './find.ts';
import { mergeOptions } from './merge.ts';
import { type Config, type ConfiguredModel, readConfig } from './read.ts';

export interface Configured {
  /** One for each model that is planned on its own, at least one. */
  readonly invocations: readonly Invocation[];
  /** The configuration that was used, as one would type it. */
  readonly path: string | undefined;
}

/**
 * Without operands every model of the configuration is meant. A model on the command line that the configuration lists
 * has the options of its entry, another one those that all models share. Throws E_FILE and E_CONFIG.
 */
export function configure(invocation: Invocation, at: (path: string) => string): Configured {
  const { config: asked } = invocation.options;
  const source = findConfig(typeof asked === 'object' ? undefined : asked, at);
  if (source === undefined) return { invocations: [invocation], path: undefined };
  const config = readConfig(source);
  const models = modelsOf(invocation, config, at);
  return {
    path: config.path,
    invocations: models.map(({ files, options }) => ({
      command: invocation.command,
      operands: files,
      options: [known(invocation, config.shared), known(invocation, options), invocation.options].reduce(
        mergeOptions,
        config.models.length > 1 ? known(invocation, { name: stem(files) }) : {},
      ),
    })),
  };
}

/** For commands that look at one model: the first entry for it counts. */
export function configureOne(invocation: Invocation, at: (path: string) => string): Invocation {
  return configure(invocation, at).invocations[0] ?? invocation;
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
