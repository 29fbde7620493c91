/** Builds the buffers: live ranges, sizes and sharing put together for the planner. */
import { fail } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import type { BufferKind, How } from '../plan/types.ts';
import { aliasChoices } from './candidates.ts';
import { chooseSharing } from './choose.ts';
import { type PlaceUse, withoutIdleGaps } from './cost.ts';
import { alignmentOf, type Scene, sceneOf, scratchAlignment } from './scene.ts';
import type { Sharing } from './sharing.ts';
import type { Buffers, Candidate, LifetimeOptions, Member, Schedule, TensorBuffer } from './types.ts';

/**
 * One buffer for each place in memory, in the order in which they are first needed. The tensors of a buffer keep
 * their distances; its range is the union of theirs, its alignment serves them all. Bytes that none of them holds for a
 * time are gaps, where that lowers the peak.
 * Throws the faults of `tensorSizes`, and E_TOO_LARGE for a sum that cannot be counted.
 */
export function buildBuffers(
  graph: TypedGraph,
  schedule: Schedule,
  options: LifetimeOptions,
  kernels: KernelLibrary,
): Buffers {
  const scene = sceneOf(graph, schedule, options);
  const sharing = chooseSharing(scene, aliasChoices(scene, kernels));
  const places = withoutIdleGaps(sharing.places, schedule.steps.length);
  const buffers = places.map((place) => bufferOf(scene, sharing, place));
  const external = scene.lives.ranges.flatMap((range, tensor) =>
    range !== undefined && scene.external.has(sharing.root(tensor)) ? [memberOf(scene, sharing, tensor)] : [],
  );
  const total = buffers.reduce((sum, { bytes }) => sum + bytes, 0);
  if (!Number.isSafeInteger(total)) fail('E_TOO_LARGE', 'All tensors together are beyond 2^53 bytes.');
  const { declined, peakBytes, leastBytes } = sharing;
  return {
    buffers: buffers.sort((a, b) => a.first - b.first),
    external,
    declined,
    sharing: { peakBytes, leastBytes },
  };
}

export const HOW: Readonly<Record<Candidate['kind'], How>> = {
  view: 'view',
  'in-place': 'in-place',
  split: 'elided',
  concat: 'elided',
};

function memberOf(scene: Scene, sharing: Sharing, tensor: number): Member {
  const candidate = sharing.taken.get(tensor);
  const outside = scene.external.has(sharing.root(tensor));
  const how: How = outside ? 'external' : candidate === undefined ? 'own' : HOW[candidate.kind];
  const { first, end } = scene.lives.ranges[tensor]!;
  return {
    model: 0,
    tensor,
    first,
    end,
    offset: sharing.offset(tensor),
    bytes: scene.sizes[tensor]!.bytes,
    how,
    aliasOf: candidate?.source,
  };
}

function bufferOf(scene: Scene, sharing: Sharing, place: PlaceUse): TensorBuffer {
  const { graph, options, sizes } = scene;
  const { root, tensors, first, end, bytes, gaps } = place;
  const members = tensors.map((tensor) => memberOf(scene, sharing, tensor));
  if (members.length > 1)
    members.sort((a, b) => a.first - b.first || Number(b.tensor === root) - Number(a.tensor === root));
  return {
    id: graph.tensors[root]!.name,
    kind: kindOf(scene, members),
    first,
    end,
    bytes,
    gaps,
    alignment: members.reduce(
      (most, { tensor }) => Math.max(most, alignmentOf(sizes[tensor]!.fact, options)),
      isScratch(scene, root) ? scratchAlignment(options) : 1,
    ),
    members,
  };
}

/** A mixed buffer is called after what matters most about it (contract: persistent, input, output, activation). */
function kindOf(scene: Scene, members: readonly Member[]): BufferKind {
  const { graph, inputs, outputs } = scene;
  if (members.some(({ tensor }) => isScratch(scene, tensor))) return 'scratch';
  if (members.some(({ tensor }) => graph.tensors[tensor]!.role === 'state')) return 'persistent';
  if (members.some(({ tensor }) => inputs.has(tensor))) return 'input';
  return members.some(({ tensor }) => outputs.has(tensor)) ? 'output' : 'activation';
}

/** Scratch shares its bytes with nothing. */
function isScratch({ graph }: Scene, tensor: number): boolean {
  return graph.tensors[tensor]!.role === 'scratch';
}
