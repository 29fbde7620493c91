/** Collects usage faults, so that a command line with three mistakes names all three. */
import { type Diagnostic, MemplanError } from '../errors.ts';

export interface Faults {
  /** The result of `parse`, or `instead` when it throws a MemplanError, whose diagnostics are kept. */
  readonly attempt: <T>(parse: () => T, instead: T) => T;
  readonly add: (fault: Diagnostic) => void;
  /** Everything collected, each fault once. */
  readonly all: () => readonly Diagnostic[];
  /** Throws everything collected, if anything was. */
  readonly finish: () => void;
}

export function faults(): Faults {
  const found: Diagnostic[] = [];
  const all = () => {
    const texts = found.map(({ text }) => text);
    return found.filter(({ text }, index) => texts.indexOf(text) === index);
  };
  return {
    attempt: (parse, instead) => {
      try {
        return parse();
      } catch (error) {
        if (!(error instanceof MemplanError)) throw error;
        found.push(...error.diagnostics);
        return instead;
      }
    },
    add: (fault) => found.push(fault),
    all,
    finish: () => {
      const [first, ...rest] = all();
      if (first !== undefined) throw new MemplanError([first, ...rest]);
    },
  };
}
