/** Brings a command line and the settings of a file together, where there is such a file. */
import type { Invocation } from '../program.ts';
import { findConfig } from './find.ts';

export interface Configured {
  /** One for each model that is planned on its own, at least one. */
  readonly invocations: readonly Invocation[];
  /** The configuration that was used, as one would type it. */
  readonly path: string | undefined;
}

/** Throws E_FILE and E_CONFIG. */
export async function configure(invocation: Invocation, at: (path: string) => string): Promise<Configured> {
  const { config } = invocation.options;
  const source = findConfig(typeof config === 'object' ? undefined : config, at);
  if (source === undefined) return { invocations: [invocation], path: undefined };
  const [{ readConfig }, { applyConfig }] = await Promise.all([import('./read.ts'), import('./apply.ts')]);
  return { invocations: applyConfig(invocation, readConfig(source), at), path: source.path };
}

/** For commands that look at one model: the first entry for it counts. */
export async function configureOne(
  invocation: Invocation,
  at: (path: string) => string,
): Promise<Invocation> {
  return (await configure(invocation, at)).invocations[0] ?? invocation;
}
