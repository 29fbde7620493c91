/** What the option table says about an option. */

/** `plan` is the main job, which has no name on the command line. */
export type CommandName =
  | 'plan'
  | 'solve'
  | 'verify'
  | 'check-elf'
  | 'diff'
  | 'explain'
  | 'shapes'
  | 'targets'
  | 'ops'
  | 'init'
  | 'completions';

export interface OptionRow {
  /** In commander's notation. */
  readonly flags: string;
  readonly about: string;
  readonly commands: readonly CommandName[];
  /** May be given several times. */
  readonly repeat?: true;
  /** Every value, where they can be listed. */
  readonly values?: readonly string[];
  /** A comma-separated list of `values`. */
  readonly list?: true;
  /** A value may be followed by `=FILE`. */
  readonly withFile?: true;
  /** Throws E_USAGE for a text that cannot be a value; `flag` is how messages call the option. */
  readonly syntax?: (flag: string, text: string) => unknown;
  /** A value as one types it; rows with `values` do without. */
  readonly example?: string;
  /** The value is a path: in a configuration file it starts from that file. A target may also be a name. */
  readonly path?: 'file' | 'target';
  /** Belongs to one run and not to a project: no key of the configuration file. */
  readonly perRun?: true;
}

export interface OptionGroup {
  readonly title: string;
  readonly rows: readonly OptionRow[];
}
