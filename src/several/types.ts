/** What lies between models laid out on their own and one plan of all of them. */
import type { PlacedState } from '../lifetime/states.ts';
import type { Buffers, Schedule } from '../lifetime/types.ts';

/** A model laid out on its own: steps and buffers counted from 0. */
export interface LaidModel {
  readonly schedule: Schedule;
  readonly buffers: Buffers;
  /** Values that are kept from run to run. */
  readonly states?: readonly PlacedState[];
}

/** Models that share bytes with each other alone; they follow each other on the axis of steps. */
export interface Part {
  readonly models: readonly number[];
  /** `any`: one at a time, whichever comes; `sequence`: one after another, as they stand. */
  readonly order: 'any' | 'sequence';
}

/** A tensor of a model: both by index. */
export interface TensorAt {
  readonly model: number;
  readonly tensor: number;
}

export interface Link {
  readonly from: TensorAt;
  readonly to: TensorAt;
}

/** How models share bytes. */
export interface Sharing {
  readonly parts: readonly Part[];
  /** Tensors that keep their bytes while other models of their part run. */
  readonly holds: readonly TensorAt[];
  /** Tensors of one model that are inputs of a later one. */
  readonly links: readonly Link[];
  /** Inputs may be filled and outputs drained while any model of the part runs. */
  readonly asyncIo: boolean;
}
