/** Quantisation that a file states beside its graph (GraphProto.quantization_annotation). */
import type { Quant } from '../graph/types.ts';
import type { Draft, Scope } from './draft.ts';
import { resolve } from './names.ts';
import type { TensorAnnotation } from './proto.ts';

/**
 * Keeps scale and zero point with what the file declares about the tensor. Left out: one scale per channel, for
 * the file does not say which axis that is, and a scale that is no positive number.
 */
export function annotate(annotation: TensorAnnotation, scope: Scope, draft: Draft): void {
  const index = resolve(scope, annotation.tensorName ?? '');
  const tensor = typeof index === 'number' ? draft.tensors[index] : undefined;
  if (tensor?.declared === undefined) return;
  const quant = quantOf(annotation, scope, draft);
  if (quant !== undefined) tensor.declared = { ...tensor.declared, quant };
}

function quantOf(annotation: TensorAnnotation, scope: Scope, draft: Draft): Quant | undefined {
  const numbers = (key: string): number[] | undefined => {
    const entry = annotation.quantParameterTensorNames?.find((e) => e.key === key);
    const index = entry?.value ? resolve(scope, entry.value) : undefined;
    const value = typeof index === 'number' ? draft.tensors[index]!.constant?.value() : undefined;
    return value?.map(Number);
  };
  const scale = numbers('SCALE_TENSOR');
  if (scale?.length !== 1 || !(scale[0]! > 0 && scale[0]! < Infinity)) return undefined;
  return { scale, zeroPoint: numbers('ZERO_POINT_TENSOR') ?? [0], axis: null };
}
