/** Which steps belong to which of several models, or to which sizes of one: where the time axis changes hands. */
import { modelLabel } from '../../plan/qualified.ts';
import type { Plan } from '../../plan/types.ts';
import { printable, stepsText } from '../text.ts';

export interface Turn {
  /** Short: the model's name, or its sizes. */
  readonly label: string;
  /** What stands before the names of its tensors. */
  readonly prefix: string;
  /** Steps [first, end). */
  readonly first: number;
  readonly end: number;
  /** Of the models that may run at the same time, which it belongs to; 0 where none may. */
  readonly part: number;
  /** Its file, its steps, and how it shares the memory with the others. */
  readonly about: string;
}

/** In the order of the steps; none for a single model. */
export function turnsOf(plan: Plan): readonly Turn[] {
  const { models, steps, run, buckets } = plan;
  if (models.length < 2 || run === undefined) return [];
  return models.flatMap(({ file }, model): Turn[] => {
    const own = steps.filter((step) => step.model === model);
    if (own.length === 0) return [];
    const range = { first: own[0]!.step, end: own.at(-1)!.step + 1 };
    const part = run.parts.findIndex(({ models: inside }) => inside.includes(model));
    const sizes = buckets?.[model]?.sizes.map(({ name, size }) => `${printable(name)}=${size}`).join(', ');
    const label = modelLabel(plan, model);
    return [
      {
        label: sizes ?? (run.parts.length > 1 ? `${printable(label)}, part ${part + 1}` : printable(label)),
        prefix: `${label}:`,
        ...range,
        part: Math.max(0, part),
        about: `${printable(file)}${sizes === undefined ? '' : ` for ${sizes}`}, ${stepsText(range)}: ${sharingText(plan, part)}`,
      },
    ];
  });
}

function sharingText({ run, buckets }: Plan, part: number): string {
  if (buckets !== undefined) return 'a run is of one of these sizes';
  const { parts } = run!;
  const { models, order } = parts[part]!;
  const apart = `part ${part + 1} of ${parts.length}; parts may run at the same time and share no bytes`;
  const inside =
    models.length === 1
      ? ''
      : order === 'any'
        ? 'its models never run at once'
        : 'its models run in this order, never at once';
  return parts.length === 1
    ? inside.replace('its', 'these')
    : [apart, inside].filter((text) => text !== '').join('; ');
}
