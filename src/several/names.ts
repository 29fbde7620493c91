/** Finds models and tensors by what users call them: a name alone where it is the only one, else MODEL:NAME. */
import { fail } from '../errors.ts';
import type { TensorAt } from './types.ts';

/** What a model is called. */
export interface Called {
  /** The file's name without extension. */
  readonly name: string;
  /** Its place on the command line. */
  readonly given: number;
}

/** A model with its tensors. */
export interface NamedModel extends Called {
  /** The tensors of its graph by name. */
  readonly tensors: ReadonlyMap<string, number>;
}

/** What names a model: its file without extension where no other is called so, and always `#0`, its place. */
function labels(models: readonly Called[], index: number): readonly string[] {
  const { name, given } = models[index]!;
  const alone = models.every((other, i) => i === index || other.name !== name);
  return alone ? [name, `#${given}`] : [`#${given}`];
}

/** The shortest name of a model. */
export function labelOf(models: readonly Called[], index: number): string {
  return labels(models, index)[0]!;
}

/** Index of a model. Throws E_USAGE. */
export function findModel(flag: string, models: readonly Called[], text: string): number {
  const index = models.findIndex((_, i) => labels(models, i).includes(text));
  if (index >= 0) return index;
  const hint = `the models are ${models.map((_, i) => labelOf(models, i)).join(', ')}`;
  return fail('E_USAGE', `${flag}: there is no model "${text}".`, { hint });
}

/** `kws:conv1` of the models that are named so: what stands behind the colon, by model. Names may hold colons. */
export function qualified(
  models: readonly Called[],
  text: string,
): readonly { readonly model: number; readonly name: string }[] {
  return models.flatMap((_, model) =>
    labels(models, model)
      .filter((label) => text.startsWith(`${label}:`))
      .map((label) => ({ model, name: text.slice(label.length + 1) })),
  );
}

/** The tensor that a text names in some model. Throws E_USAGE when there is none, or more than one. */
export function findTensor(flag: string, models: readonly NamedModel[], text: string): TensorAt {
  const found = [...models.map((_, model) => ({ model, name: text })), ...qualified(models, text)].flatMap(
    ({ model, name }) => {
      const tensor = models[model]!.tensors.get(name);
      return tensor === undefined ? [] : [{ model, tensor, name }];
    },
  );
  const [first, second] = found;
  const called = ({ model, name }: { readonly model: number; readonly name: string }) =>
    `${labelOf(models, model)}:${name}`;
  if (first === undefined) {
    return fail('E_USAGE', `${flag} ${text}: no model has a tensor of this name.`, {
      tensor: text,
      hint: `${flag} ${labelOf(models, 0)}:TENSOR; memplan shapes MODEL lists the tensors.`,
    });
  }
  if (second !== undefined) {
    return fail('E_USAGE', `${flag} ${text}: several models have a tensor of this name.`, {
      tensor: text,
      hint: `${flag} ${called(first)}, or ${called(second)}`,
    });
  }
  return { model: first.model, tensor: first.tensor };
}
