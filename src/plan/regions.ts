/** Lists the regions of a plan: what lies in each, and how good that is. */
import type { Arena } from '../place/arenas.ts';
import { isCached, reservedIn } from '../place/memories.ts';
import { type MpuRegion, mpuRegion } from '../place/mpu.ts';
import type { Region, Target } from '../target/types.ts';
import { liveBytesByStep, peakOf } from './live.ts';
import type { Parts } from './parts.ts';
import type { PlanBuffer, PlanMpu, PlanRegion } from './types.ts';

/** The region of an arena. `all`: the buffers of the plan, by index. */
export function planRegion(parts: Parts, arena: Arena, all: readonly PlanBuffer[]): PlanRegion {
  const { target, joint, placed } = parts;
  const { region, solution } = arena;
  const buffers = arena.buffers.map((buffer) => all[buffer]!);
  const { chip } = parts.models[0]!.settings;
  const mpu = chip.mpu && mpuRegion(chip.mpu, solution.bytes);
  const alignment = Math.max(baseAlignment(region, target, buffers), mpu?.alignment ?? 1);
  return {
    name: region.name,
    c: parts.cNames([region.name])[0]!,
    origin: region.origin,
    capacity: region.size,
    reserved: reservedIn(region, parts.request.reserve, alignment),
    used: solution.bytes,
    alignment,
    lowerBound: solution.lowerBound,
    optimal: solution.optimal,
    strategy: solution.strategy,
    peak: peakOf(liveBytesByStep(buffers, joint.steps)),
    traffic: arena.buffers.reduce((sum, buffer) => sum + placed.traffic[buffer]!, 0),
    speedRank: region.speedRank,
    ...(isCached(region, chip.line) && { cacheLine: chip.line }),
    ...(region.dma && { dma: region.dma }),
    ...(region.init !== null && { init: region.init }),
    ...(mpu && { mpu: planMpu(mpu) }),
  };
}

function planMpu({ mpu, ...rest }: MpuRegion): PlanMpu {
  return { kind: mpu, ...rest };
}

/** What offsets rely on; whole cache lines where there is a cache, so that no neighbour shares the first line. */
function baseAlignment(region: Region, target: Target, buffers: readonly PlanBuffer[]): number {
  const line = region.cacheable === true ? (target.cpu.dcacheLineBytes ?? 1) : 1;
  return Math.max(line, ...new Set(buffers.map(({ alignment }) => alignment)));
}
