/** The views of tensors, and of graph inputs and outputs. */

import { isStaged } from '../plan/stages.ts';
import type { Plan, PlanModel, PlanTensor } from '../plan/types.ts';
import { addressAlignment } from './alignment.ts';
import { commentText } from './comment.ts';
import { C_BYTES, ELEMENT_C, unsigned } from './literals.ts';
import { modelTitle, portNote, tensorAbout } from './prose.ts';
import { rowsOf } from './rows.ts';
import { copyViews } from './view-copies.ts';
import { stateViews } from './view-states.ts';
import type { ModelView, NumbersView, PlaceView, PortView, RegionView, TensorView } from './view-types.ts';

/** What the views below are made from. */
export interface Context {
  readonly plan: Plan;
  readonly regionOf: ReadonlyMap<string, RegionView>;
  readonly tensorMacro: (tensor: PlanTensor) => string;
  /** Of the offset of a placed tensor. */
  readonly alignmentOf: (tensor: PlanTensor) => number;
}

export function numbersView(tensor: PlanTensor, { tensorMacro }: Context): NumbersView {
  return {
    macro: tensorMacro(tensor),
    size: unsigned(tensor.bytes),
    placed: tensor.offset !== null,
    offset: tensor.offset === null ? '' : unsigned(tensor.offset),
  };
}

export function tensorView(tensor: PlanTensor, context: Context): TensorView {
  const { macro, size, placed, offset } = numbersView(tensor, context);
  return { macro, size, placed, offset, about: tensorAbout(tensor, context.plan) };
}

export function placeView(tensor: PlanTensor, context: Context): PlaceView {
  const region = regionOf(tensor, context);
  return {
    macro: context.tensorMacro(tensor),
    placed: region !== undefined,
    regionMacro: region?.macro ?? '',
    alignment: region === undefined ? '' : unsigned(context.alignmentOf(tensor)),
  };
}

export function modelView(model: PlanModel, index: number, context: Context): ModelView {
  const own = context.plan.tensors.filter((tensor) => tensor.model === index);
  const named = new Set([...model.inputs, ...model.outputs]);
  const byName = new Map(own.filter(({ name }) => named.has(name)).map((tensor) => [tensor.name, tensor]));
  const port = (direction: 'input' | 'output') => (name: string, position: number) => {
    const tensor = byName.get(name);
    const names = {
      macro: `${model.cPrefix}_${direction.toUpperCase()}_${position}`,
      helper: `${model.cPrefix.toLowerCase()}_${direction}_${position}`,
    };
    return tensor === undefined
      ? constantPort(name, index, names, context.plan)
      : tensorPort(tensor, direction, names, context);
  };
  const copies = copyViews(context.plan, index, context.regionOf);
  const states = stateViews(context.plan, index, context.regionOf, context.tensorMacro);
  return {
    P: model.cPrefix,
    p: model.cPrefix.toLowerCase(),
    file: commentText(modelTitle(context.plan, index)),
    states,
    stateCount: unsigned(states.length),
    anyCopied: states.some(({ copied }) => copied),
    copies,
    copyCount: unsigned(copies.length),
    loads: copies.length > 0 && !isStaged(context.plan),
    numbers: rowsOf(own, (tensor) => numbersView(tensor, context)),
    inputs: model.inputs.map(port('input')),
    outputs: model.outputs.map(port('output')),
    inputCount: unsigned(model.inputs.length),
    outputCount: unsigned(model.outputs.length),
    turn: turnView(model, index, context),
  };
}

/** Its steps, and the bytes of each arena that it uses. */
function turnView({ cPrefix }: PlanModel, index: number, { plan, regionOf }: Context): ModelView['turn'] {
  if (plan.run === undefined) return null;
  const steps = plan.steps.filter(({ model }) => model === index);
  const own = plan.buffers.filter(({ models = [], bytes }) => bytes > 0 && models.includes(index));
  const spans = [...regionOf].flatMap(([name, { name: about, macro }]) => {
    const inside = own.filter(({ region }) => region === name);
    if (inside.length === 0) return [];
    const offset = inside.reduce((least, one) => Math.min(least, one.offset), Number.MAX_SAFE_INTEGER);
    const end = inside.reduce((most, one) => Math.max(most, one.offset + one.bytes), 0);
    const region = macro.slice(`${plan.run!.cPrefix}_R_`.length);
    return [
      { macro: `${cPrefix}_R_${region}`, about, offset: unsigned(offset), size: unsigned(end - offset) },
    ];
  });
  return {
    firstStep: unsigned(steps[0]!.step),
    stepCount: unsigned(steps.length),
    spans,
    onlySpan: plan.regions.length === 1 ? (spans[0] ?? null) : null,
  };
}

type PortNames = Pick<PortView, 'macro' | 'helper'>;

function tensorPort(
  tensor: PlanTensor,
  direction: 'input' | 'output',
  names: PortNames,
  context: Context,
): PortView {
  const region = regionOf(tensor, context);
  const type = ELEMENT_C[tensor.type];
  const typed = region !== undefined && addressAlignment(context.alignmentOf(tensor)) >= C_BYTES[type];
  return {
    ...names,
    about: tensorAbout(tensor, context.plan),
    note: portNote(direction, tensor, context.plan),
    tensorMacro: context.tensorMacro(tensor),
    size: unsigned(tensor.bytes),
    offset: region === undefined ? '' : unsigned(tensor.offset!),
    placed: region !== undefined,
    array: region?.array ?? '',
    ring: direction === 'input' && placesOf(tensor, context) !== undefined ? `${names.helper}_at` : '',
    type: typed ? type : 'void',
    typed,
  };
}

/** An input with several places. */
function placesOf({ model, name }: PlanTensor, { plan }: Context): number | undefined {
  return plan.states?.find((state) => state.model === model && state.tensor === name)?.places;
}

/** A graph output that is a constant has a size and no place. */
function constantPort(name: string, model: number, names: PortNames, plan: Plan): PortView {
  const constant = plan.constants.find((k) => k.model === model && k.name === name);
  return {
    ...names,
    about: `${commentText(name)}: a constant`,
    note: 'It has no place in an arena.',
    tensorMacro: '',
    size: unsigned(constant?.bytes ?? 0),
    offset: '',
    placed: false,
    array: '',
    ring: '',
    type: 'void',
    typed: false,
  };
}

function regionOf(tensor: PlanTensor, context: Context): RegionView | undefined {
  return tensor.region === null ? undefined : context.regionOf.get(tensor.region);
}
