/** Which kernels of CMSIS-NN were seen to work in place: docs/kernels.md has the runs. */

/**
 * Versions for which a kernel's output may take over an operand of the same shape. In each of them all three builds
 * were run, for 8-bit and, where there is such a kernel, 16-bit data.
 */
const PROVED: Readonly<Record<string, readonly number[]>> = {
  elementwise_add: [5, 6, 7],
  elementwise_mul: [5, 6, 7],
  maximum: [7],
  minimum: [7],
  softmax: [5, 6, 7],
};

export function provedInPlace(kernel: string, version: number): boolean {
  return PROVED[kernel]?.includes(version) === true;
}
