/**
 * If and Loop.
 *
 * If: 1, 11, 13, 16 (optionals), 19, 21, 23, 24, 25.
 * Loop: 1, 11, 13 (sequences), 16 (optionals), 19, 21, 23, 24, 25.
 */

import { isAtMost, isNonNegative } from '../graph/dim-order.ts';
import { type Dim, isKnown, max } from '../graph/dims.ts';
import type { Body, Fact } from '../graph/types.ts';
import { inferTurns } from './carried.ts';
import { formatFact, mergeFacts } from './merge.ts';
import { fact, knownDims, knownScalar, type Shape } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** The body that an attribute holds. */
export function bodyOf(c: OpContext, name: string): Body {
  return c.node.bodies.find((body) => body.name === name) ?? c.fail(`attribute ${name} is missing.`);
}

/**
 * The branch that a constant condition takes, or what both branches have in common. Where their shapes differ it is at
 * most the one that is the larger along every axis, if one is proved to be.
 */
const ifShape: ShapeRule = (c) => {
  const condition = knownScalar(c.input(0));
  if (condition !== undefined)
    return c.inferBody(bodyOf(c, condition === 0 ? 'else_branch' : 'then_branch'), []);
  const then = c.inferBody(bodyOf(c, 'then_branch'), []);
  const otherwise = c.inferBody(bodyOf(c, 'else_branch'), []);
  if (then.length !== otherwise.length)
    c.fail(`its branches yield ${then.length} and ${otherwise.length} values.`);
  return then.map((fact, i) => {
    const other = otherwise[i];
    const why = `then_branch yields ${formatFact(fact)} and else_branch ${formatFact(other)}`;
    const larger = largerOf(fact?.shape, other?.shape);
    const merged = mergeFacts(c, fact, other, (a, b, axis) =>
      larger === undefined ? c.unknownDim(why, mostOf(a, b)) : c.boundedDim(why, larger[axis]!),
    );
    if (fact?.shape !== undefined && other?.shape !== undefined && merged?.shape === undefined) {
      c.unknownRank(i, why);
    }
    return merged;
  });
};

/** Undefined where each is, or may be, larger along some axis: a place for both may be larger than either. */
function largerOf(a: Shape | undefined, b: Shape | undefined): Shape | undefined {
  if (a === undefined || b === undefined || a.length !== b.length) return undefined;
  if (a.every((dim, axis) => isAtMost(dim, b[axis]!))) return b;
  return a.every((dim, axis) => isAtMost(b[axis]!, dim)) ? a : undefined;
}

function mostOf(a: Dim, b: Dim): number | undefined {
  return isKnown(a) && isKnown(b) ? Math.max(a, b) : undefined;
}

/** Outputs are the carried values, then one output per scanned value with the turns as a new first axis. */
const loopShape: ShapeRule = (c) => {
  const body = bodyOf(c, 'body');
  const initial = c.inputs.slice(2);
  const count = initial.length;
  if (body.inputs.length !== count + 2 || body.outputs.length <= count) {
    c.fail(
      `its body has ${body.inputs.length} inputs and ${body.outputs.length} outputs for ${count} carried values.`,
    );
  }
  const turn: Fact = { type: 'int64', shape: [], value: [c.unknownDim('it differs from turn to turn')] };
  const { carried, outputs } = inferTurns(c, body, initial, {
    inputs: (facts) => [turn, running(), ...facts],
    first: { input: 2, output: 1 },
  });
  const turns = turnsOf(c, outputs[0]);
  const scanned = outputs.slice(1 + count).map((element) => stacked(c, element, turns));
  return [...(turns === 0 ? initial : carried), ...scanned];
};

/** The condition that a body sees: it is true whenever the body runs. */
function running(): Fact {
  return { type: 'bool', shape: [], value: [1] };
}

/** How often the body runs: undefined where that depends on data. */
function turnsOf(c: OpContext, goesOn: Fact | undefined): Dim | undefined {
  const starts = c.node.inputs[1] === undefined ? 1 : knownScalar(c.optional(1));
  if (starts === 0) return 0;
  const limit = c.node.inputs[0] === undefined ? Infinity : knownDims(c.optional(0))?.[0];
  const again = knownScalar(goesOn);
  if (limit === undefined || starts === undefined || again === undefined) return undefined;
  if (again === 0) return isKnown(limit) ? Math.min(Math.max(limit, 0), 1) : undefined;
  if (isKnown(limit)) return limit < Number.MAX_SAFE_INTEGER ? Math.max(limit, 0) : undefined;
  return isNonNegative(limit) ? limit : max(limit, 0);
}

function stacked(c: OpContext, element: Fact | undefined, turns: Dim | undefined): Fact | undefined {
  if (element?.shape === undefined) return element;
  return fact(element.type, [
    turns ?? c.unknownDim('how often the loop turns depends on data'),
    ...element.shape,
  ]);
}

const VERSIONS = [1, 11, 13, 16, 19, 21, 23, 24, 25];

export const rows: readonly OpRow[] = [
  { op: 'If', since: VERSIONS, inputs: [1, 1], outputs: [1, Infinity], shape: ifShape },
  { op: 'Loop', since: VERSIONS, inputs: [2, Infinity], outputs: [1, Infinity], shape: loopShape },
];
