/** Places that become parts of other places: chains of them are followed once, then remembered. */

/** Tensors by index; at first each is a place of its own. */
export interface Places {
  /** The tensor that owns the place in which this one lies. */
  readonly root: (tensor: number) => number;
  /** Bytes from the start of that place. */
  readonly offset: (tensor: number) => number;
  /** Puts a tensor that owns its place, and all that lies there, `offset` bytes into another tensor. */
  readonly move: (tensor: number, to: number, offset: number) => void;
}

/** For `count` tensors. In typed arrays, for models may have hundreds of thousands of tensors. */
export function createPlaces(count: number): Places {
  const inside = Int32Array.from({ length: count }, (_, tensor) => tensor);
  const offsets = new Float64Array(count);
  const root = (tensor: number): number => {
    let owner = tensor;
    let offset = 0;
    for (; inside[owner] !== owner; owner = inside[owner]!) offset += offsets[owner]!;
    for (let at = tensor; inside[at] !== owner; ) {
      const next = inside[at]!;
      const own = offsets[at]!;
      inside[at] = owner;
      offsets[at] = offset;
      offset -= own;
      at = next;
    }
    return owner;
  };
  return {
    root,
    offset: (tensor) => {
      root(tensor);
      return offsets[tensor]!;
    },
    move: (tensor, to, offset) => {
      inside[tensor] = to;
      offsets[tensor] = offset;
    },
  };
}
