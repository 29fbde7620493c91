/** Settles what a request leaves open with the target's advice. */
import { type Diagnostic, diagnostic, fail, MemplanError } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import { kernelLibrary } from '../kernels/registry.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { LifetimeOptions } from '../lifetime/types.ts';
import { type Chip, cacheLine, usableRegions } from '../place/memories.ts';
import type { Mpu } from '../place/mpu.ts';
import type { Region, Target } from '../target/types.ts';
import { boundsOf } from './bounds.ts';
import type { PlanRequest } from './request.ts';
import { placesOf, statesOf, valuesToKeep } from './states.ts';
import type { Assumptions } from './types.ts';

export interface Settings {
  /** The regions that may be used, home first. */
  readonly regions: readonly Region[];
  readonly chip: Chip;
  readonly kernels: KernelLibrary;
  readonly lifetime: LifetimeOptions;
  readonly assumptions: Assumptions;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Throws E_TARGET for unknown regions, E_USAGE for --keep of a tensor that is not there and --reserve of more than there is, and what `kernelLibrary`
 * throws.
 */
export function settle(request: PlanRequest, target: Target, graph: TypedGraph): Settings {
  const regions = regionsOf(request, target);
  refuseTooMuch(request, target);
  const diagnostics: Diagnostic[] = [];
  for (const [option, named] of Object.entries({ reserve: request.reserve, budget: request.budget })) {
    for (const name of named.keys()) {
      if (name === '' || regions.includes(findRegion(target, name))) continue;
      const used = regions.map((region) => region.name).join(', ');
      const text = `--${option} ${name}: only ${used} may be used, so this changes nothing.`;
      diagnostics.push(diagnostic('N_OPTION_HAS_NO_EFFECT', text));
    }
  }
  if (request.weights === 'stage') refuseStages(request);
  refusePacked(request);
  const states = [...statesOf(graph, request.states), ...placesOf(graph, request, cacheLine(target))];
  const keep = new Set([...keptTensors(graph, request.keep), ...valuesToKeep(graph, states)]);
  const constants = constantTensors(graph);
  for (const tensor of [...keep].filter((kept) => constants.has(kept))) {
    const { name } = graph.tensors[tensor]!;
    const text = `--keep ${name}: a constant keeps its bytes anyway.`;
    diagnostics.push(diagnostic('N_OPTION_HAS_NO_EFFECT', text, { tensor: name }));
  }
  diagnostics.push(
    ...estimateWarnings(request),
    ...target.remarks.map((text) => diagnostic('N_TARGET_READ', text)),
  );
  const { io, asyncIo, preserveInputs, inPlace, inPlaceInputs, views, elide, trustUnproved } = request;
  const kernels = kernelLibrary(request, target.cpu, graph);
  const slack = Math.max(request.guard, kernels.slackBytes);
  return {
    regions,
    chip: { regions: target.regions, line: cacheLine(target), mpu: request.mpu ? mpuOf(target) : undefined },
    kernels,
    lifetime: {
      align: request.align ?? Math.max(target.recommendedAlign.tensorDefault, kernels.tensorAlignment),
      alignExactly: request.align !== undefined,
      sizeRound: request.sizeRound,
      ...{ keep, states },
      ...{ layout: kernels.layout, scratchAlign: kernels.scratchAlignment, slack, trustUnproved },
      ...{ io, asyncIo, preserveInputs, inPlace, inPlaceInputs, views, elide },
    },
    assumptions: {
      schedule: request.schedule,
      kernels: kernels.name,
      kernelsVersion: kernels.version,
      kernelsBuild: kernels.build,
      layout: kernels.layout,
      fuse: request.fuse ?? (kernels.fuses ? 'default' : 'none'),
      ...(slack > 0 && { slack }),
      ...(trustUnproved && { trustUnproved }),
      keep: [...new Set([...request.keep, ...[...keep].map((tensor) => graph.tensors[tensor]!.name)])],
      ...boundsOf(graph, request.bindings),
      ...(request.assume && { assume: request.assume }),
      ...(request.scaleInput && { scaleInput: request.scaleInput }),
      ...(request.weightBits && { weightBits: request.weightBits }),
      ...{ io, asyncIo, preserveInputs, inPlace, inPlaceInputs, views, elide },
    },
    diagnostics,
  };
}

/** Throws E_USAGE for several models: the weights of one would have to be brought while another runs. */
function refuseStages({ models, buckets }: PlanRequest): void {
  if (models.length < 2 && buckets.length === 0) return;
  fail('E_USAGE', '--weights stage brings the weights of one model; there are several.', {
    hint: 'Plan them one by one.',
  });
}

/** Throws E_USAGE for packed weights with copies: whether those are packed as well only the kernels know. */
function refusePacked({ weights, weightBits }: PlanRequest): void {
  if (weightBits === undefined || weights === 'flash') return;
  fail(
    'E_USAGE',
    `--weight-bits: what copies of packed weights take in RAM (--weights ${weights}) is not known.`,
    {
      hint: 'Leave out one of the two.',
    },
  );
}

/** Throws E_USAGE where more is reserved than a region has. */
function refuseTooMuch({ reserve }: PlanRequest, target: Target): void {
  for (const [name, bytes] of reserve) {
    const { size } = findRegion(target, name);
    if (size === null || bytes <= size) continue;
    fail('E_USAGE', `--reserve ${name}=${bytes}: the region ${name} has ${size} bytes.`, {
      hint: `memplan targets ${target.id} shows the regions; --region leaves one out`,
    });
  }
}

/** What makes the plan one of a model that does not exist yet. */
function estimateWarnings({ assume, scaleInput, weightBits }: PlanRequest): readonly Diagnostic[] {
  const changes = [
    ...(assume === undefined ? [] : ['floats are counted as int8, biases as int32 (--assume int8)']),
    ...(scaleInput === undefined ? [] : [`images are scaled by ${scaleInput} (--scale-input)`]),
    ...(weightBits === undefined
      ? []
      : [`weights of quantised layers are packed in flash, ${weightBits} bits each (--weight-bits)`]),
  ];
  if (changes.length === 0) return [];
  return [diagnostic('W_ESTIMATE', `The plan is an estimate for a changed model: ${changes.join('; ')}.`)];
}

/** Throws E_TARGET for regions that the target does not have. */
function regionsOf({ regions }: PlanRequest, target: Target): readonly Region[] {
  if (regions.length > 0) return [...new Set(regions)].map((name) => findRegion(target, name));
  return usableRegions(target.regions, findRegion(target, target.main));
}

/** Throws E_RULE for a target whose MPU is not known. */
function mpuOf({ id, cpu }: Target): Mpu {
  const { mpu } = cpu;
  if (mpu === 'PMSAv7' || mpu === 'PMSAv8') return mpu;
  const found = mpu === null ? 'none is known' : `it has ${mpu}`;
  return fail('E_RULE', `--mpu: ${id} has no MPU after PMSAv7 or PMSAv8 (${found}).`, {
    hint: 'Leave --mpu out, or say "cpu": { "mpu": "PMSAv7" } in a target file.',
  });
}

function findRegion(target: Target, name: string): Region {
  const names = target.regions.map((region) => region.name).join(', ');
  return (
    target.regions.find((region) => region.name === name) ??
    fail('E_TARGET', `${target.id} has no region ${name}.`, { hint: `Its regions: ${names}.` })
  );
}

function keptTensors(graph: TypedGraph, names: readonly string[]): ReadonlySet<number> {
  if (names.length === 0) return new Set();
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  const [first, ...others] = names
    .filter((name) => !indexes.has(name))
    .map((name) =>
      diagnostic('E_USAGE', `--keep ${name}: the model has no tensor of this name.`, {
        tensor: name,
        hint: 'memplan shapes MODEL lists the tensors.',
      }),
    );
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return new Set(names.map((name) => indexes.get(name)!));
}
