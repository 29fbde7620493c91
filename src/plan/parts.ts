/** What a plan is put together from: models laid out, with a place for every buffer. */
import type { Diagnostic } from '../errors.ts';
import type { Buffers } from '../lifetime/types.ts';
import type { Model } from '../model/types.ts';
import type { Arenas } from '../place/arenas.ts';
import type { Target } from '../target/types.ts';
import type { PlanRequest } from './request.ts';
import type { Settings } from './settings.ts';
import type { Placing, ScheduledModel } from './tensors.ts';
import type { PlanBucket, PlanFusion, PlanRun } from './types.ts';

export interface PartModel extends ScheduledModel {
  readonly model: Model;
  readonly cPrefix: string;
  readonly settings: Settings;
  readonly buffers?: Pick<Buffers, 'declined' | 'sharing'>;
  /** Labels of the steps whose scratch is not known. */
  readonly unknownScratch?: readonly string[];
}

/** How models share the chip, before anything has a place. */
export type SharedRun = Omit<PlanRun, 'parts'> & {
  readonly parts: readonly Omit<PlanRun['parts'][number], 'regions'>[];
};

export interface Parts extends Omit<Placing, 'places'> {
  readonly models: readonly PartModel[];
  readonly target: Target;
  readonly request: PlanRequest;
  /** Of `joint.buffers`. */
  readonly placed: Arenas;
  readonly fusion?: FusionEffect | undefined;
  /** Of several models. */
  readonly run?: SharedRun | undefined;
  /** With --bucket: one for each model. */
  readonly buckets?: readonly PlanBucket[] | undefined;
  /** Warnings and notes of the stages before. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The same models without fusion, measured without rules and copies of weights on both sides. */
export interface FusionEffect extends Pick<PlanFusion, 'leftOut'> {
  readonly unfused: { readonly steps: number; readonly moreBytes: number };
}
