/** Diagnostics, the one error class, and the catalogue of codes. Diagnostics are data; rendering comes last. */

/** Every code memplan can print, with the sentence that explains it in the documentation. */
export const CODES = {
  E_USAGE: 'The command line cannot be understood.',
  E_FILE: 'A file cannot be read, or is not what it should be.',
  E_NOT_ONNX: 'The file is not an ONNX model; the message says what it is.',
  E_MODEL: 'The ONNX file is damaged or breaks a rule of the format.',
  E_CYCLE: 'The nodes depend on each other in a circle.',
  E_DANGLING: 'A node reads a tensor that nothing produces.',
  E_DUPLICATE: 'Two nodes produce one tensor.',
  E_UNKNOWN_OP: 'There is no shape rule for an operator and its outputs are not declared.',
  E_OPEN_DIM: 'A dimension of an input has no size; bind it with --dim or --input-shape.',
  E_BINDING: 'A --dim or --input-shape does not fit the model.',
  E_SHAPE: 'The inputs or attributes of a node contradict the operator.',
  E_UNRESOLVED: 'The size of a tensor cannot be known before the model runs.',
  E_TYPE: 'A tensor has an element type without a static size.',
  E_TOO_LARGE: 'A size is beyond what can be counted exactly (2^53).',
  E_CONFIG: 'The configuration file is wrong; the message names the place in it.',
  E_TARGET: 'The target is unknown or its file is wrong.',
  E_RULE: 'Placement rules contradict each other or the target.',
  E_OVER_CAPACITY: 'The plan is larger than the region.',
  E_OVER_BUDGET: 'The plan is larger than the budget.',
  E_OVER_FLASH: 'The weights are larger than the flash.',
  E_GROWTH: 'The arena has grown more since the baseline than is allowed.',
  E_STALE: 'A file on disk is not what would be written.',
  E_PLAN_FAULT: 'The independent checker found a fault in a plan.',
  E_CSV: 'A buffer list cannot be read.',
  E_JSON: 'A JSON file cannot be read or does not have the form it should.',
  E_WRITE: 'A file cannot be written.',
  E_UNSUPPORTED_KERNEL:
    'The runner has no kernel for an operator, or not for the way in which a node uses it.',
  E_WEIGHTS: 'The runner needs the elements of a weight, and they are not known.',
  E_ELF: 'A firmware file is not a linked ELF file, or is damaged.',
  E_FIRMWARE: 'A firmware file does not hold the arenas of the plan as the plan needs them.',
  E_TEMPLATE: 'A template of --templates cannot be printed.',
  E_INTERNAL: 'memplan broke one of its own rules; please report it.',
  W_DECLARED_SHAPE: 'The file declares a shape that inference contradicts; the inferred one is used.',
  W_UNKNOWN_OP: 'An operator has no shape rule; its declared outputs are trusted.',
  W_OPSET: 'The file does not say which version of the operators it follows; version 1 is assumed.',
  W_ALIGNMENT: 'An alignment is below the width of an element.',
  W_CAPACITY_UNKNOWN: 'The size of the region is not known, so nothing is gated.',
  W_EXTERNAL_DATA: 'A file with weights is missing or short; only sizes were needed.',
  W_FLASH: 'The weights are larger than the flash that the target is known to have.',
  W_SCRATCH: 'Scratch memory is not counted, so the total is a lower bound.',
  W_UNPROVED: 'A tensor lies where only an unproved promise of a kernel allows it (--trust unproved).',
  W_INTERRUPTED: 'A search was interrupted, and the plan is the best one it had by then (--anytime).',
  W_DMA_REACH: 'Whether a DMA engine reaches a memory is not known.',
  W_BASELINE: 'The baseline was planned for another target or with other options.',
  W_ESTIMATE: 'The plan is for a model that does not exist yet: sizes are what they would be after a change.',
  N_SORTED: 'The nodes of the file were not in executable order and have been sorted.',
  N_STACK_SHARES: 'The region also holds the stack and nothing is reserved for it.',
  N_KERNEL_MISSING: 'The kernel library has no kernel for a node; a reference kernel stands in.',
  N_ORDER: 'What the search for the order of steps with the smallest peak has found.',
  N_ORDER_SAVES: 'In another order of the steps the arena would be smaller.',
  N_OPTION_HAS_NO_EFFECT: 'An option changes nothing here.',
  N_TARGET_READ: 'What a target file in another form was taken to say.',
  N_WEIGHT_DEQUANTIZED: 'A quantised weight becomes a float tensor in the arena while the network runs.',
  N_BOUND:
    'A size depends on data; the largest that the file declares or the branches of an If yield is planned.',
  N_RULE_DIFFERS: 'Sources disagree about a size; the larger was planned.',
} as const satisfies Readonly<Record<string, string>>;

export type Code = keyof typeof CODES;

export interface Diagnostic {
  readonly kind: 'error' | 'warning' | 'note';
  readonly code: Code;
  /** One sentence or two: names the node or tensor and the numbers. */
  readonly text: string;
  /** What to type next, or null. */
  readonly hint: string | null;
  readonly node: string | null;
  readonly tensor: string | null;
}

type Where = {
  readonly hint?: string;
  readonly node?: string | undefined;
  readonly tensor?: string | undefined;
};

/** Builds a diagnostic; its kind follows from the first letter of the code. */
export function diagnostic(code: Code, text: string, where: Where = {}): Diagnostic {
  const kind = code.startsWith('E_') ? 'error' : code.startsWith('W_') ? 'warning' : 'note';
  return {
    kind,
    code,
    text,
    hint: where.hint ?? null,
    node: where.node ?? null,
    tensor: where.tensor ?? null,
  };
}

/**
 * The only class: a failure a user can do something about. All faults of one kind travel together.
 * `exitCode` 1: a gate failed; 2: memplan could not work.
 */
export class MemplanError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: 1 | 2;

  constructor(diagnostics: readonly [Diagnostic, ...Diagnostic[]], exitCode: 1 | 2 = 2) {
    super(diagnostics.map((d) => d.text).join('\n'));
    this.name = 'MemplanError';
    this.diagnostics = diagnostics;
    this.exitCode = exitCode;
  }

  get code(): Code {
    return this.diagnostics[0]!.code;
  }
}

/** Throws one fault. */
export function fail(code: Code, text: string, where: Where = {}): never {
  throw new MemplanError([diagnostic(code, text, where)]);
}
