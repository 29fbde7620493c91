/** Plans made by hand for tests of what reads plans (emit, report, verify): state the tensors, the rest is derived. */
import { createHash } from 'node:crypto';
import { cNames, cPrefix } from '../../src/emit/identifiers.ts';
import { type ElementType, tensorBytes } from '../../src/graph/element-type.ts';
import type { Quant, Role } from '../../src/graph/types.ts';
import type {
  Assumptions,
  How,
  Plan,
  PlanBuffer,
  PlanConstant,
  PlanRegion,
  PlanStep,
  PlanTensor,
} from '../../src/plan/types.ts';
import type { Target } from '../../src/target/types.ts';

export interface TensorSketch {
  readonly name: string;
  /** Default float32. */
  readonly type?: ElementType;
  readonly shape: readonly number[];
  /** Default activation. */
  readonly role?: Role;
  readonly live: readonly [first: number, end: number];
  /** null: owned by the caller. */
  readonly offset: number | null;
  /** Default: the first region. */
  readonly region?: string;
  /** Default own, or external without an offset. */
  readonly how?: How;
  readonly aliasOf?: string;
  readonly quant?: Quant;
}

export interface StepSketch {
  readonly node: string;
  readonly op: string;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

export interface RegionSketch {
  readonly name: string;
  readonly origin?: number | null;
  readonly capacity?: number | null;
  readonly reserved?: number;
  readonly alignment?: number;
}

export interface PlanSketch {
  readonly file: string;
  readonly prefix?: string;
  readonly regions?: readonly RegionSketch[];
  /** Offset alignment of every buffer; default 16. */
  readonly align?: number;
  readonly tensors: readonly TensorSketch[];
  /** Default: as many as the live ranges need, named by number. */
  readonly steps?: readonly StepSketch[];
  /** Default: the tensors of that role, in order. */
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly constants?: readonly Pick<PlanConstant, 'name' | 'type' | 'shape'>[];
  readonly assumptions?: Partial<Assumptions>;
}

const ASSUMPTIONS: Assumptions = {
  schedule: 'model',
  kernels: 'none',
  kernelsVersion: null,
  kernelsBuild: null,
  layout: 'nchw',
  fuse: 'none',
  inPlace: true,
  inPlaceInputs: true,
  views: true,
  elide: true,
  io: 'arena',
  asyncIo: false,
  preserveInputs: false,
  keep: [],
};

export const AXISRAM: RegionSketch = { name: 'AXISRAM', origin: 0x24000000, capacity: 524288, alignment: 32 };
export const DTCM: RegionSketch = { name: 'DTCM', origin: 0x20000000, capacity: 131072, alignment: 32 };

/** A whole plan from a sketch. It is not checked: tests may sketch faulty ones. */
export function planOf(sketch: PlanSketch): Plan {
  const align = sketch.align ?? 16;
  const sketched = sketch.regions ?? [AXISRAM];
  const c = cNames(sketch.tensors.map((t) => t.name));
  const steps = stepsOf(sketch);
  const buffers: PlanBuffer[] = [];
  const byName = new Map<string, PlanTensor>();
  const tensors = sketch.tensors.map((t, i): PlanTensor => {
    const how = t.how ?? (t.offset === null ? 'external' : 'own');
    const region = t.offset === null ? null : (t.region ?? sketched[0]!.name);
    const source = t.aliasOf === undefined ? undefined : byName.get(t.aliasOf)!;
    const made: PlanTensor = {
      model: 0,
      name: t.name,
      c: c[i]!,
      type: t.type ?? 'float32',
      shape: t.shape,
      bytes: sketchBytes(t),
      quant: t.quant ?? null,
      role: t.role ?? 'activation',
      first: t.live[0],
      end: t.live[1],
      buffer: region === null ? null : (source?.buffer ?? buffers.length),
      region,
      offset: t.offset,
      how,
      aliasOf: t.aliasOf ?? null,
    };
    byName.set(t.name, made);
    if (made.buffer !== null) joinBuffer(buffers, made, align);
    return made;
  });
  const live = steps.map((_, s) => sum(buffers.filter((b) => b.first <= s && s < b.end).map((b) => b.bytes)));
  const peakBytes = Math.max(0, ...live);
  const peak = { step: Math.max(0, live.indexOf(peakBytes)), bytes: peakBytes };
  const regions = sketched.map((r) => regionOf(r, buffers, steps.length));
  const used = sum(regions.map((r) => r.used));
  const prefix = sketch.prefix ?? cPrefix(sketch.file);
  const named = (role: Role) => tensors.filter((t) => t.role === role);
  const constants = (sketch.constants ?? []).map((k): PlanConstant => {
    return {
      ...k,
      model: 0,
      bytes: tensorBytes(
        k.type,
        k.shape.reduce((a, b) => a * b, 1),
      )!,
      place: 'flash',
    };
  });
  return {
    schema: 1,
    fits: regions.every((r) => r.capacity === null || r.used <= r.capacity - r.reserved),
    planHash: createHash('sha256').update(JSON.stringify(sketch)).digest('hex'),
    models: [
      {
        name: sketch.file.replace(/\.onnx$/, ''),
        file: sketch.file,
        sha256: createHash('sha256').update(sketch.file).digest('hex'),
        nodes: steps.length,
        opset: { 'ai.onnx': 17 },
        cPrefix: prefix,
        inputs: sketch.inputs ?? named('input').map((t) => t.name),
        outputs: sketch.outputs ?? named('output').map((t) => t.name),
      },
    ],
    target: { id: 'stm32h743zi', core: 'cortex-m7' },
    assumptions: { ...ASSUMPTIONS, ...sketch.assumptions },
    steps: steps.map((s, i) => ({ ...s, liveBytes: live[i]! })),
    tensors,
    buffers,
    regions,
    constants,
    totals: {
      arenaBytes: used,
      lowerBoundBytes: sum(regions.map((r) => r.lowerBound)),
      optimal: regions.every((r) => r.optimal),
      noReuseBytes: sum(buffers.map((b) => b.bytes)),
      weightBytes: sum(constants.map((k) => k.bytes)),
      scratchBytes: sum(named('scratch').map((t) => t.bytes)),
      inputBytes: sum(named('input').map((t) => t.bytes)),
      outputBytes: sum(named('output').map((t) => t.bytes)),
      complete: (sketch.assumptions?.kernels ?? 'none') !== 'none',
    },
    peak: {
      ...peak,
      tensors: tensors
        .filter((t) => t.region !== null && t.first <= peak.step && peak.step < t.end)
        .map((t) => t.name),
    },
    diagnostics: [],
  };
}

/** A target with the regions of the plan; the first one is its main region. */
export function targetOf(plan: Plan): Target {
  return {
    id: plan.target.id,
    aliases: [],
    vendor: null,
    family: null,
    cpu: {
      core: plan.target.core,
      cores: 1,
      fpu: null,
      dsp: true,
      mve: false,
      dcache: true,
      dcacheLineBytes: 32,
      dcacheBytes: 16384,
      l2Bytes: null,
      gccFlags: null,
      cmsisNnBuild: 'dsp',
      mpu: null,
    },
    flashBytes: null,
    regions: plan.regions.map((r, i) => ({
      name: r.name,
      origin: r.origin,
      size: r.capacity,
      kind: 'sram',
      usableForData: true,
      cacheable: true,
      speedRank: i,
      dma: null,
      init: null,
      bus: null,
      aliasOrigins: [],
      notes: null,
    })),
    main: plan.regions[0]?.name ?? 'RAM',
    stack: 'DTCM',
    recommendedAlign: { tensorDefault: 16, dma: 32, cacheLine: 32 },
    variants: [],
    remarks: [],
    notes: null,
    source: [],
    unverifiedFields: [],
  };
}

function stepsOf(sketch: PlanSketch): readonly Omit<PlanStep, 'liveBytes'>[] {
  const last = Math.max(0, ...sketch.tensors.map((t) => t.live[1]));
  const steps = sketch.steps ?? Array.from({ length: last }, (_, i) => ({ node: `node${i}`, op: 'Relu' }));
  return steps.map((s: StepSketch, step) => ({
    step,
    model: 0,
    node: s.node,
    op: s.op,
    path: '',
    fused: [],
    reads: s.reads ?? [],
    writes: s.writes ?? [],
    scratchBytes: 0,
  }));
}

export function sketchBytes(tensor: TensorSketch): number {
  return tensorBytes(
    tensor.type ?? 'float32',
    tensor.shape.reduce((a, b) => a * b, 1),
  )!;
}

/** Adds a tensor to its buffer, or opens one for it. */
function joinBuffer(buffers: PlanBuffer[], tensor: PlanTensor, alignment: number): void {
  const id = tensor.buffer!;
  const known = buffers[id];
  const offset = Math.min(known?.offset ?? tensor.offset!, tensor.offset!);
  const end = Math.max(known === undefined ? 0 : known.offset + known.bytes, tensor.offset! + tensor.bytes);
  const role = tensor.role;
  buffers[id] = {
    id,
    kind:
      known?.kind ??
      (role === 'weight' || role === 'state' ? 'persistent' : (role satisfies PlanBuffer['kind'])),
    tensors: [...(known?.tensors ?? []), tensor.name],
    bytes: end - offset,
    alignment,
    first: Math.min(known?.first ?? tensor.first, tensor.first),
    end: Math.max(known?.end ?? tensor.end, tensor.end),
    region: tensor.region!,
    offset,
    gaps: [],
    mayOverlap: [],
  };
}

function regionOf(sketch: RegionSketch, all: readonly PlanBuffer[], steps: number): PlanRegion {
  const buffers = all.filter((b) => b.region === sketch.name);
  const live = Array.from({ length: steps }, (_, s) =>
    sum(buffers.filter((b) => b.first <= s && s < b.end).map((b) => b.bytes)),
  );
  const lowerBound = Math.max(0, ...live);
  const used = Math.max(0, ...buffers.map((b) => b.offset + b.bytes));
  return {
    name: sketch.name,
    c: sketch.name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase(),
    origin: sketch.origin ?? null,
    capacity: sketch.capacity ?? null,
    reserved: sketch.reserved ?? 0,
    used,
    alignment: sketch.alignment ?? 16,
    lowerBound,
    optimal: used === lowerBound,
    strategy: 'by hand',
    peak: { step: Math.max(0, live.indexOf(lowerBound)), bytes: lowerBound },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
