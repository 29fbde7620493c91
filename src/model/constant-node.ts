/** The weight that a Constant node stands for, in every form the operator has had. */
import type { ElementType } from '../graph/element-type.ts';
import type { Constant, Value } from '../graph/types.ts';
import { attributeOf, typeOf } from './attributes.ts';
import { constantOf, type TensorSource } from './constant.ts';
import type { Bound } from './draft.ts';
import type { AttributeProto } from './proto.ts';
import { sparseConstantOf } from './sparse.ts';

const FORMS = [
  'value',
  'sparse_value',
  'value_float',
  'value_floats',
  'value_int',
  'value_ints',
  'value_string',
  'value_strings',
];

/** Exactly one of the forms must be there (ONNX, Constant); undefined after a fault. */
export function constantNodeValue(
  bound: ReadonlyMap<string, Bound>,
  label: string,
  tensor: string,
  source: TensorSource,
): Constant | undefined {
  const given = FORMS.filter((form) => bound.has(form));
  const [form] = given;
  if (form === undefined || given.length > 1) {
    const text = given.length === 0 ? 'no value' : `more than one value (${given.join(', ')})`;
    source.faults.add('E_MODEL', `The Constant node ${label} has ${text}.`, { node: label, tensor });
    return undefined;
  }
  const proto = bound.get(form)!.proto;
  if (form === 'value' && proto.t) return constantOf(proto.t, tensor, source);
  if (form === 'sparse_value' && proto.sparseTensor)
    return sparseConstantOf(proto.sparseTensor, tensor, source);
  const constant = form.startsWith('value_') ? listed(proto, label, source) : undefined;
  if (constant === undefined) {
    const text = `The Constant node ${label} has a ${form} of the wrong kind (attribute type ${typeOf(proto)}).`;
    source.faults.add('E_MODEL', text, { node: label, tensor });
  }
  return constant;
}

function listed(proto: AttributeProto, label: string, source: TensorSource): Constant | undefined {
  const attribute = attributeOf(proto, label, source);
  switch (attribute?.kind) {
    case 'tensor':
      return attribute.value;
    case 'float':
      return inline('float32', [], [attribute.value]);
    case 'int':
      return inline('int64', [], [attribute.value]);
    case 'string':
      return inline('string', [], undefined);
    case 'floats':
      return inline('float32', [attribute.value.length], attribute.value);
    case 'ints':
      return inline('int64', [attribute.value.length], attribute.value);
    case 'strings':
      return inline('string', [attribute.value.length], undefined);
    default:
      return undefined;
  }
}

function inline(type: ElementType, shape: readonly number[], value: Value | undefined): Constant {
  return { type, shape, place: undefined, value: () => value };
}
