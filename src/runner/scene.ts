/** What lowering looks things up in. */
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import type { Schedule } from '../lifetime/types.ts';
import type { Places } from './places.ts';

export interface StepScene {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  readonly places: Places;
  readonly kernels: KernelLibrary;
}
