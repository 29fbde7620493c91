/** Reads off the bytes of every tensor in memory, and names those that have none. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { type DimRanges, rangeOf } from '../graph/dim-range.ts';
import { type Dim, formatShape, isKnown } from '../graph/dims.ts';
import { tensorBytes } from '../graph/element-type.ts';
import type { Fact, TypedGraph } from '../graph/types.ts';

/** A tensor whose type and every dimension are known, or bounded: its shape is the largest one. */
export interface Sized {
  readonly fact: Fact;
  readonly shape: readonly number[];
  readonly bytes: number;
}

/** By tensor index, for the tensors that were asked for. */
export type Sizes = readonly (Sized | undefined)[];

/** Throws all faults together: E_UNRESOLVED, E_TYPE, E_TOO_LARGE. */
export function tensorSizes(graph: TypedGraph, tensors: Iterable<number>): Sizes {
  const sizes = new Array<Sized | undefined>(graph.tensors.length).fill(undefined);
  const faults: Diagnostic[] = [];
  for (const tensor of tensors) {
    const sized = sizeOf(graph.tensors[tensor]!.name, graph.facts[tensor], graph.ranges);
    if ('code' in sized) faults.push(sized);
    else sizes[tensor] = sized;
  }
  const [fault, ...others] = faults;
  if (fault !== undefined) throw new MemplanError([fault, ...others]);
  return sizes;
}

function sizeOf(name: string, fact: Fact | undefined, ranges: DimRanges | undefined): Sized | Diagnostic {
  if (fact?.container !== undefined) {
    return diagnostic('E_TYPE', `Tensor ${name} is a ${fact.container}, which has no static size.`, {
      tensor: name,
    });
  }
  const shape = fact?.shape && largestSizes(fact.shape, ranges);
  if (fact === undefined || !shape?.every((dim) => dim !== undefined)) {
    const known =
      fact === undefined
        ? 'nothing is known about it'
        : `only ${fact.type}${formatShape(fact.shape)} is known`;
    return diagnostic('E_UNRESOLVED', `The size of tensor ${name} cannot be worked out: ${known}.`, {
      tensor: name,
      hint:
        'Bind open dimensions with --dim NAME=N or --input-shape INPUT:1,2,3, bound them with --dim NAME=1..N or ' +
        '--max-size TENSOR=N, or give the tensor memory at run time: --emit pool.',
    });
  }
  const elements = shape.reduce((a, b) => a * b, 1);
  const bytes = tensorBytes(fact.type, elements);
  if (bytes === undefined) {
    return diagnostic('E_TYPE', `Tensor ${name} holds strings, which have no static size.`, { tensor: name });
  }
  if (!Number.isSafeInteger(elements) || !Number.isSafeInteger(bytes)) {
    return diagnostic(
      'E_TOO_LARGE',
      `Tensor ${name} (${fact.type}${formatShape(shape)}) is beyond 2^53 bytes.`,
      {
        tensor: name,
      },
    );
  }
  return { fact, shape, bytes };
}

/** Each dimension by itself at its largest: the product is never too small. */
function largestSizes(shape: readonly Dim[], ranges: DimRanges | undefined): readonly (number | undefined)[] {
  return shape.every(isKnown) ? shape : shape.map((dim) => largest(dim, ranges));
}

function largest(dim: Dim, ranges: DimRanges | undefined): number | undefined {
  if (isKnown(dim)) return dim;
  const most = ranges && rangeOf(dim, ranges)?.most;
  return most === undefined ? undefined : Math.max(0, most);
}
