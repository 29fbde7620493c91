/** All networks in every combination of sharing, order and regions, as onnxruntime runs them. */
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { exampleModel } from './examples.ts';
import { ALL_WAYS, inTwoRegions, placesText } from './ways.ts';

const RUNS = 10;
const oracle = hasOracle();
const NETWORKS = ['kws', 'kws-int8', 'resnet8', 'autoencoder', 'branchy', 'mobilenet-v1-int8'] as const;

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    describe.each(NETWORKS)('%s', (network) => {
      const dir = emptyFolder();
      const path = exampleModel(network, dir);
      /** Plans that have been run: many ways give the same one. */
      const done = new Set<string>();

      it.each(ALL_WAYS)('%s', { timeout: 600_000 }, async (_, way, regions) => {
        const request = regions === 1 ? way : inTwoRegions(dir, [path], way);
        const emitted = emitRunner(dir, { ...request, models: [path] });
        const { plan } = emitted.planned;
        expect(plan.regions.length).toBe(regions);
        if (done.has(placesText(plan))) return;
        const expected = runOracle(emitted, path, RUNS);
        const used = plan.totals.arenaBytes;
        const { status, output } = await inferOnHost(emitted, RUNS);
        expect({ status, output }).toEqual({ status: 0, output: `touched ${used}\nused ${used}\n` });
        expect(wrong(differences(emitted, expected))).toEqual([]);
        done.add(placesText(plan));
      });
    });
  },
);
