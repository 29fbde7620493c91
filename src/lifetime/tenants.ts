/**
 * Which tensors lie in which place, so that it is quick to ask who would be written over. Most places hold a few tensors at
 * a time and are looked through; the parts of a Split or Concat may be a hundred thousand and are found by their bytes.
 */

/** What is asked of tensors, by index. */
export interface TenantScene {
  /** The step before which the tensor is last read. */
  readonly endOf: (tensor: number) => number;
  /** Bytes from the start of its place. */
  readonly offsetOf: (tensor: number) => number;
  readonly bytesOf: (tensor: number) => number;
}

export interface Tenants {
  /** Tensors in the place of `root` that are read after the step, in the order in which they came. */
  readonly live: (root: number, step: number) => readonly number[];
  readonly add: (root: number, step: number, tensors: readonly number[]) => void;
  /** The first of them that shares bytes with `source` and is another. */
  readonly blocker: (root: number, source: number, step: number) => number | undefined;
}

interface Room {
  all: number[];
  /** How many were left when those that are read no more were last forgotten. */
  kept: number;
  grid: Grid | undefined;
}

interface Grid {
  readonly width: number;
  /** Places in `all`, ascending, of what touches the bytes of a cell. */
  readonly cells: readonly number[][];
  /** The same for tensors that touch many cells. */
  readonly wide: number[];
}

const FEW = 32;
const CELLS = 1024;
const WIDE = 64;

/** Steps must not go back. */
export function createTenants({ endOf, offsetOf, bytesOf }: TenantScene): Tenants {
  const rooms = new Map<number, Room>();
  const roomOf = (root: number): Room => {
    const known = rooms.get(root);
    if (known !== undefined) return known;
    const room: Room = { all: [root], kept: 1, grid: undefined };
    rooms.set(root, room);
    return room;
  };
  const forget = (room: Room, step: number): void => {
    room.all = room.all.filter((tensor) => endOf(tensor) > step);
    room.kept = room.all.length;
    room.grid = undefined;
  };
  /** A cell that is asked again and again must not be searched through what is read no more. */
  const forgetIn = (places: number[], { all }: Room, step: number): void => {
    let kept = 0;
    for (const at of places) if (endOf(all[at]!) > step) places[kept++] = at;
    places.length = kept;
  };
  /** The cells that the tensor touches, at least one: what lies beyond the last belongs to it. */
  const cellsOf = (width: number, tensor: number): readonly [first: number, last: number] => {
    const from = offsetOf(tensor);
    const first = Math.min(CELLS - 1, Math.floor(from / width));
    const last = Math.min(CELLS - 1, Math.ceil((from + bytesOf(tensor)) / width) - 1);
    return [first, Math.max(first, last)];
  };
  const enter = ({ width, cells, wide }: Grid, tensor: number, at: number): void => {
    const [first, last] = cellsOf(width, tensor);
    if (last - first >= WIDE) wide.push(at);
    else for (let cell = first; cell <= last; cell++) cells[cell]!.push(at);
  };
  const gridOf = (room: Room): Grid => {
    const reach = room.all.reduce((most, tensor) => Math.max(most, offsetOf(tensor) + bytesOf(tensor)), 1);
    const grid: Grid = {
      width: Math.ceil(reach / CELLS),
      cells: Array.from({ length: CELLS }, () => []),
      wide: [],
    };
    for (const [at, tensor] of room.all.entries()) enter(grid, tensor, at);
    return grid;
  };
  const touches = (a: number, b: number): boolean =>
    offsetOf(a) < offsetOf(b) + bytesOf(b) && offsetOf(b) < offsetOf(a) + bytesOf(a);
  const live = (root: number, step: number): readonly number[] => {
    const room = roomOf(root);
    forget(room, step);
    return room.all;
  };
  const add = (root: number, step: number, tensors: readonly number[]): void => {
    const room = roomOf(root);
    for (const tensor of tensors) {
      const at = room.all.push(tensor) - 1;
      if (room.grid !== undefined) enter(room.grid, tensor, at);
    }
    if (room.all.length > 2 * room.kept + FEW) forget(room, step);
  };
  const blocker = (root: number, source: number, step: number): number | undefined => {
    const room = roomOf(root);
    const blocks = (tensor: number): boolean =>
      tensor !== source && endOf(tensor) > step && touches(tensor, source);
    if (room.all.length <= FEW) return room.all.find(blocks);
    room.grid ??= gridOf(room);
    const { width, cells, wide } = room.grid;
    const [first, last] = cellsOf(width, source);
    let found: number | undefined;
    const look = (places: number[]): void => {
      let gone = 0;
      for (const at of places) {
        const tensor = room.all[at]!;
        if (endOf(tensor) <= step) gone++;
        else if (blocks(tensor)) {
          if (found === undefined || at < found) found = at;
          break;
        }
      }
      if (gone > FEW && gone > places.length / FEW) forgetIn(places, room, step);
    };
    look(wide);
    for (let cell = first; cell <= last; cell++) look(cells[cell]!);
    return found === undefined ? undefined : room.all[found];
  };
  return { live, add, blocker };
}
