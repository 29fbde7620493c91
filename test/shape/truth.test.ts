/** Every tensor of the recorded models has the size that onnxruntime gave it. */
import { describe, expect, it } from 'vitest';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { compareWithTruth, recordings } from '../support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

/** What depends on data: the tensors whose size stays open, and those where the file declares the largest. */
const BY_DATA: Readonly<
  Record<string, { readonly unknown: readonly string[]; readonly bounded: readonly string[] }>
> = {
  // One branch yields a scalar, the other a vector of one.
  occ_test_subgraph: { unknown: ['result_3'], bounded: [] },
  // The loop goes on while a comparison of inputs holds, 10 turns at most.
  ort_subgraph_input_shadows_outer_scope_value: {
    unknown: ['my_local'],
    bounded: ['user_defined_vals: float32[10,1], not float32[0,1]'],
  },
};

describe.skipIf(folder === undefined)('recorded runs', () => {
  const all = folder === undefined ? [] : recordings(folder);

  it('are there', () => {
    expect(all.filter((name) => !name.endsWith('.second'))).toHaveLength(68);
    expect(all).toHaveLength(89);
  });

  it.each(all)('%s', (name) => {
    const { right, wrong, unknown, errors } = compareWithTruth(folder!, name);
    const open = BY_DATA[name];
    expect(wrong).toEqual(open?.bounded ?? []);
    expect(unknown).toEqual(open?.unknown ?? []);
    expect(errors).toEqual(open === undefined ? [] : ['E_UNRESOLVED']);
    expect(right).toBeGreaterThan(0);
  });
});
