/** Collects usage faults, so that a command line with three mistakes names all three. */
import { type Diagnostic, MemplanError } from '../errors.ts';

export interface Faults {
  /** The result of `parse`, or `instead` when it throws a MemplanError, whose diagnostics are kept. */
  readonly attempt: <T>(parse: () => T, instead: T) => T;
  readonly add: (fault: Diagnostic) => void;
  /** Throws everything collected, each fault once, if anything was. */
  readonly finish: () => void;
}

export function faults(): Faults {
  const found: Diagnostic[] = [];
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
    finish: () => {
      const texts = found.map(({ text }) => text);
      const [first, ...rest] = found.filter(({ text }, index) => texts.indexOf(text) === index);
      if (first !== undefined) throw new MemplanError([first, ...rest]);
    },
  };
}
