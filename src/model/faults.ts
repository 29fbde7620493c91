/** Collects what is wrong with a model while it is read, so that all faults of a kind are reported together. */
import { type Code, type Diagnostic, diagnostic, MemplanError } from '../errors.ts';

type Where = { readonly hint?: string; readonly node?: string; readonly tensor?: string };

export interface Faults {
  /** Errors, warnings and notes alike: the code decides. */
  readonly add: (code: Code, text: string, where?: Where) => void;
  /** Throws all errors together, those of one code next to each other. */
  readonly throwIfAny: () => void;
  /** Warnings and notes. */
  readonly remarks: () => readonly Diagnostic[];
}

/** Names come from the file and may be long. */
const SHOWN_CHARACTERS = 2000;

function clipped(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}...`;
}

/** A damaged file can break a rule a million times: of each code this many are spelt out, the rest counted. */
const SHOWN_OF_A_KIND = 50;

export function newFaults(): Faults {
  const byCode = new Map<Code, { shown: Diagnostic[]; count: number }>();

  function listed(errors: boolean): Diagnostic[] {
    const all: Diagnostic[] = [];
    for (const [code, { shown, count }] of byCode) {
      if (code.startsWith('E_') !== errors) continue;
      all.push(...shown);
      if (count > shown.length) all.push(diagnostic(code, `And ${count - shown.length} more of this kind.`));
    }
    return all;
  }

  return {
    add: (code, text, where) => {
      const kind = byCode.get(code) ?? { shown: [], count: 0 };
      byCode.set(code, kind);
      kind.count += 1;
      if (kind.shown.length < SHOWN_OF_A_KIND) kind.shown.push(diagnostic(code, clipped(text), where));
    },
    throwIfAny: () => {
      const [first, ...rest] = listed(true);
      if (first !== undefined) throw new MemplanError([first, ...rest]);
    },
    remarks: () => listed(false),
  };
}
