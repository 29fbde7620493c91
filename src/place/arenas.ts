/** Gives the buffers their memories: one arena at home while it fits there, else several by traffic. */

import type { Diagnostic } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { JointBuffers, Schedule } from '../lifetime/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import type { Solution } from '../planner/types.ts';
import type { Region } from '../target/types.ts';
import { type Gain, gainsOf } from './gains.ts';
import { type Chip, memoryOf } from './memories.ts';
import { placeParts } from './parts.ts';
import { place } from './place.ts';
import type { Rule } from './rule-types.ts';
import { applyRules, type Bound } from './rules.ts';
import { trafficOf } from './traffic.ts';
import type { Memory, PlaceableBuffer, Placement, PlaceOptions, PlaceProblem, Size } from './types.ts';
import { isAllowed, sizeIn } from './types.ts';
import { reasonsOf, type Why } from './why.ts';

export interface ArenaSettings extends PlaceOptions {
  readonly chip: Chip;
  /** Memories that may be used without being named by a rule, home first. */
  readonly regions: readonly Region[];
  /** Bytes by region that the firmware needs for itself. */
  readonly reserve: ReadonlyMap<string, number>;
  /** `auto`: only where home is too small is anything else used. */
  readonly place: 'auto' | 'fastest';
  readonly rules: readonly Rule[];
}

export interface Laid {
  /** By model. */
  readonly graphs: readonly TypedGraph[];
  readonly schedules: readonly Schedule[];
  readonly joint: JointBuffers;
  /** All buffers in one arena, without a thought of rules. */
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
  /** By buffer: bytes and alignment where it lies. */
  readonly sizes: readonly Size[];
  /** Bytes read and written over a run, by buffer. */
  readonly traffic: readonly number[];
  /** Under the names that the plan uses. */
  readonly rules: readonly Rule[];
  /** Only where several memories were planned together. */
  readonly several?: {
    /** No placement over these memories costs less. */
    readonly proved: boolean;
    readonly why: readonly Why[];
    readonly gains: readonly Gain[];
  };
  /** Memories over which no placement was found: then everything lies in the first that it may, and does not fit. */
  readonly failed?: readonly Memory[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Throws what `applyRules` and `solve` throw. */
export function planArenas(laid: Laid, settings: ArenaSettings): Arenas {
  const { chip } = settings;
  const { joint } = laid;
  const lists = laid.parts ?? [joint.buffers.map((_, index) => index)];
  const isolated = lists.length > 1;
  const traffic = trafficOf(laid.schedules, joint);
  const ruled = applyRules(settings.rules, laid, settings.regions, chip);
  const { regions, rules, diagnostics } = ruled;
  const buffers = joint.buffers.map((buffer, index): PlaceableBuffer => {
    const bound = ruled.bounds[index]!;
    const whenCached = wholeLines(bound, chip.line);
    const { bytes, alignment } = (isolated ? whenCached : undefined) ?? bound;
    const { allowed, offset } = bound;
    const { id, first, end, gaps, mayOverlap } = buffer;
    return {
      id,
      first,
      end,
      gaps,
      mayOverlap,
      allowed,
      offset,
      alignment,
      bytes,
      whenCached,
      traffic: traffic[index]!,
    };
  });
  const alignment = buffers.reduce((most, buffer) => Math.max(most, buffer.alignment), 1);
  const memories = regions.map((region) => memoryOf(region, chip, settings.reserve, alignment));
  const problem: PlaceProblem = { buffers, memories };
  const search = (of: PlaceProblem) => (isolated ? placeParts(of, lists, settings) : place(of, settings));
  const arenas = (placement: Placement) => ({
    arenas: arenasOf(placement, regions, laid),
    sizes: placement.memory.map((at, index) => sizeIn(buffers[index]!, memories[at]!)),
    ...{ traffic, rules, diagnostics },
  });

  const ruleless = settings.rules.length === 0 && buffers.every((buffer) => isAllowed(buffer, 0));
  if (settings.place === 'auto' || regions.length === 1) {
    const found = ruleless ? fitting(knownPacking(laid), memories) : search(homeFirst(problem));
    if (found !== undefined) {
      if (found.parts.every(({ memory }) => memory === 0)) return arenas(found);
      const why = reasonsOf(problem, found, true);
      return { ...arenas(found), several: { proved: true, why, gains: [] } };
    }
  }
  const placement = regions.length === 1 ? undefined : search(problem);
  if (placement === undefined) {
    const overfull = ruleless ? knownPacking(laid) : search(firstAllowed(problem))!;
    return { ...arenas(overfull), ...(regions.length > 1 && { failed: memories }) };
  }
  const several = {
    proved: placement.proved,
    why: reasonsOf(problem, placement, false),
    gains: isolated || settings.interrupted?.() ? [] : gainsOf(problem, placement),
  };
  return { ...arenas(placement), several };
}

/** A placement all of whose buffers lie at home; undefined where they do not fit. */
function fitting(placement: Placement, memories: readonly Memory[]): Placement | undefined {
  return (placement.parts[0]?.solution.bytes ?? 0) <= memories[0]!.room ? placement : undefined;
}

/** Everything at home, as it was packed before; whether it fits or not. */
function knownPacking({ solution, joint }: Laid): Placement {
  const ids = joint.buffers.map((_, index) => index);
  return { memory: ids.map(() => 0), parts: [{ memory: 0, buffers: ids, solution }], cost: 0, proved: true };
}

/** Everything at home that rules allow there; the rest is free to choose. */
function homeFirst({ buffers, memories }: PlaceProblem): PlaceProblem {
  const at = (buffer: PlaceableBuffer) => (isAllowed(buffer, 0) ? { ...buffer, allowed: [0] } : buffer);
  return { buffers: buffers.map(at), memories };
}

/** Each buffer in the first memory that rules allow, which have room for anything: what is shown when nothing fits. */
function firstAllowed({ buffers, memories }: PlaceProblem): PlaceProblem {
  return {
    buffers: buffers.map((buffer) => ({ ...buffer, allowed: [buffer.allowed?.[0] ?? 0] })),
    memories: memories.map((memory) => ({ ...memory, room: Number.POSITIVE_INFINITY })),
  };
}

/** What a buffer of a DMA engine takes in cached memory: no line of it is anybody else's. */
function wholeLines({ dma, bytes, alignment }: Bound, line: number): Size | undefined {
  if (!dma || line === 1) return undefined;
  return { bytes: Math.ceil(bytes / line) * line, alignment: lcm(alignment, line) };
}

function arenasOf({ parts }: Placement, regions: readonly Region[], { solution }: Laid): readonly Arena[] {
  if (parts.length === 0) return [{ region: regions[0]!, buffers: [], solution }];
  return parts.map(({ memory, buffers, solution }) => ({ region: regions[memory]!, buffers, solution }));
}
