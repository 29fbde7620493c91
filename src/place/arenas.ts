/** Gives the buffers their memories: one arena at home while it fits there, else several by traffic. */
import type { JointBuffers, Schedule } from '../lifetime/types.ts';
import { solve } from '../planner/solve.ts';
import type { Solution } from '../planner/types.ts';
import type { Region } from '../target/types.ts';
import { type Gain, gainsOf } from './gains.ts';
import { memoryOf } from './memories.ts';
import { placeParts } from './parts.ts';
import { place } from './place.ts';
import { trafficOf } from './traffic.ts';
import type { Memory, Placement, PlaceOptions, PlaceProblem } from './types.ts';
import { reasonsOf, type Why } from './why.ts';

export interface ArenaSettings extends PlaceOptions {
  /** Memories that may be used, home first. */
  readonly regions: readonly Region[];
  /** Bytes by region that the firmware needs for itself. */
  readonly reserve: ReadonlyMap<string, number>;
  /** `auto`: only where home is too small is anything else used. */
  readonly place: 'auto' | 'fastest';
}

export interface Laid {
  /** By model. */
  readonly schedules: readonly Schedule[];
  readonly joint: JointBuffers;
  /** All buffers in one arena. */
  readonly solution: Solution;
  /** Buffers by index that share no byte with those of other lists, whenever they live; undefined: all may share. */
  readonly parts?: readonly (readonly number[])[] | undefined;
}

/** The arena of one memory. */
export interface Arena {
  readonly region: Region;
  /** Buffers by index; the solution's offsets are in the same order. */
  readonly buffers: readonly number[];
  readonly solution: Solution;
}

export interface Arenas {
  /** In the order of the regions; home alone where nothing lies anywhere. */
  readonly arenas: readonly Arena[];
  /** Bytes read and written over a run, by buffer. */
  readonly traffic: readonly number[];
  /** Only where several memories were planned together. */
  readonly several?: {
    /** No placement over these memories costs less. */
    readonly proved: boolean;
    readonly why: readonly Why[];
    readonly gains: readonly Gain[];
  };
  /** Memories over which no placement was found: then everything lies at home, and does not fit. */
  readonly failed?: readonly Memory[];
}

/** Throws what `solve` throws. */
export function planArenas(laid: Laid, settings: ArenaSettings): Arenas {
  const { schedules, joint, solution } = laid;
  const { regions, reserve } = settings;
  const { buffers } = joint;
  const traffic = trafficOf(schedules, joint);
  const alignment = buffers.reduce((most, buffer) => Math.max(most, buffer.alignment), 1);
  const problem: PlaceProblem = {
    buffers: buffers.map((buffer, index) => ({ ...buffer, traffic: traffic[index]! })),
    memories: regions.map((region) => memoryOf(region, reserve, alignment)),
  };
  const all = buffers.map((_, index) => index);
  const home: Arena = { region: regions[0]!, buffers: all, solution };
  const fits = solution.bytes <= problem.memories[0]!.room;
  if (regions.length === 1 || (settings.place === 'auto' && fits)) return { arenas: [home], traffic };
  const parts = laid.parts ?? [all];
  const placement = parts.length > 1 ? placeParts(problem, parts, settings) : place(problem, settings);
  if (placement === undefined) return { arenas: [home], traffic, failed: problem.memories };
  return {
    arenas: arenasOf(placement, regions, home),
    traffic,
    several: {
      proved: placement.proved,
      why: reasonsOf(problem, placement),
      gains: parts.length > 1 ? [] : gainsOf(problem, placement),
    },
  };
}

function arenasOf({ parts }: Placement, regions: readonly Region[], home: Arena): readonly Arena[] {
  if (parts.length === 0) return [{ ...home, solution: solve({ buffers: [] }) }];
  return parts.map(({ memory, buffers, solution }) => ({ region: regions[memory]!, buffers, solution }));
}
