/** Weights of quantised layers packed in flash (--weight-bits): what is counted, gated and checked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { sealed } from '../support/planned.ts';
import { planOf, ran } from '../support/planned-files.ts';

/** A dynamically quantised product of 5 x 7 weights, its zero points, a bias, and a mask that is no layer's. */
const NET = model({
  inputs: { x: ['uint8', [1, 5]], m: ['uint8', [1, 7]] },
  outputs: { y: ['int32', [1, 7]], n: ['uint8', [1, 7]] },
  initializers: {
    w: tensor('int8', [5, 7]),
    zero: tensor('int8', [7]),
    bias: tensor('int32', [1, 7]),
    mask: tensor('uint8', [1, 7]),
  },
  nodes: [
    node('MatMulInteger', ['x', 'w', '', 'zero'], ['p'], {}, { name: 'p' }),
    node('Add', ['p', 'bias'], ['y'], {}, { name: 'y' }),
    node('BitwiseAnd', ['m', 'mask'], ['n'], {}, { name: 'n' }),
  ],
});

const FLOAT = model({
  inputs: { x: ['float32', [1, 5]] },
  outputs: { y: ['float32', [1, 7]] },
  initializers: { w: tensor('float32', [5, 7]) },
  nodes: [node('MatMul', ['x', 'w'], ['y'])],
});

const KWS = readFileSync(join(import.meta.dirname, '../../examples/kws-int8/kws-int8.onnx'));

const flash = ({ constants }: Plan) =>
  Object.fromEntries(constants.map(({ name, bytes, flashBytes }) => [name, flashBytes ?? bytes]));

describe('--weight-bits', () => {
  it.each([
    [8, 35],
    [4, 18],
    [3, 14],
    [2, 9],
    [1, 5],
  ])('%i: 35 weights take %i bytes, and nothing else changes', async (bits, bytes) => {
    const plan = await planOf(NET, '--weight-bits', String(bits));
    expect(flash(plan)).toEqual({ w: bytes, zero: 7, bias: 28, mask: 7 });
    expect(plan.totals.weightBytes).toBe(bytes + 7 + 28 + 7);
    expect(plan.constants.find(({ name }) => name === 'w')!.bytes).toBe(35);
    expect(plan.totals.arenaBytes).toBe((await planOf(NET)).totals.arenaBytes);
    expect(plan.assumptions.weightBits).toBe(bits);
  });

  it('says that it is an estimate, in the plan, the report and the header', async () => {
    const said = await ran(NET, '--weight-bits', '4', '--emit', 'h', '--out', '.');
    expect(said.stderr).toContain('W_ESTIMATE');
    expect(said.stdout).toMatch(/weights +60 +in flash, not in the arena; 77 as they are/);
    expect(said.stdout).toContain('quantised weights packed, 4 bits each');
  });

  it('explains what a weight takes in flash', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'net.onnx'), NET);
    const explained = (...flags: string[]) =>
      cli(['explain', 'net.onnx', '--target', 'stm32h743', '--tensor', 'w', ...flags], { cwd });
    // 35 weights of 4 bits.
    expect((await explained('--weight-bits', '4')).stdout).toContain(
      'place        flash, 18 bytes packed (--weight-bits), not in the arena',
    );
    expect((await explained()).stdout).toContain('place        flash, not in the arena');
  });

  it('counts a fused integer network and the same one unfused alike, scales as they are', async () => {
    const raw = await planOf(KWS, '--kernels', 'none', '--fuse', 'none');
    // Filters and matrices have at least two dimensions and one byte for each element; the rest is of channels or one.
    const wide = raw.constants.filter(({ type, shape }) => type === 'int8' && shape.length > 1);
    const halved = wide.reduce((sum, { bytes }) => sum + bytes - Math.ceil(bytes / 2), 0);
    expect(wide.length).toBeGreaterThan(4);
    const unfused = await planOf(KWS, '--kernels', 'none', '--fuse', 'none', '--weight-bits', '4');
    expect(unfused.totals.weightBytes).toBe(raw.totals.weightBytes - halved);
    const fused = await planOf(KWS, '--kernels', 'cmsis-nn');
    const packed = await planOf(KWS, '--kernels', 'cmsis-nn', '--weight-bits', '4');
    expect(packed.totals.weightBytes).toBe(fused.totals.weightBytes - halved);
  });

  it('is what flash is held to', async () => {
    // 77 bytes, of which 35 are packed into 18.
    expect((await ran(NET, '--flash', '76')).code).toBe(1);
    expect((await ran(NET, '--flash', '60', '--weight-bits', '4')).code).toBe(0);
    const over = await ran(NET, '--flash', '59', '--weight-bits', '4');
    expect(over.code).toBe(1);
    expect(over.stderr).toContain('The weights take 60 bytes, 1 more than the flash of 59.');
  });

  it('says so where no layer is quantised, and counts one that would be', async () => {
    const { diagnostics } = await planOf(FLOAT, '--weight-bits', '4');
    expect(diagnostics.map(({ code }) => code)).toContain('N_OPTION_HAS_NO_EFFECT');
    expect(flash(await planOf(FLOAT, '--weight-bits', '4', '--assume', 'int8'))).toEqual({ w: 18 });
  });

  it.each([
    [['--weight-bits', '9'], '"9" is not a whole number from 1 to 8'],
    [['--weight-bits', '0'], '"0" is not a whole number from 1 to 8'],
    [['--weight-bits', '4', '--weights', 'ram'], 'what copies of packed weights take in RAM'],
    [['--weight-bits', '4', '--emit', 'runner'], 'it cannot run'],
  ])('%j is refused', async (flags, part) => {
    const { code, stderr } = await ran(NET, ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(part);
  });

  it('the checker finds bytes that are not those of so many bits', async () => {
    const plan = await planOf(NET, '--weight-bits', '4');
    const said = (name: string, flashBytes: number) => {
      const constants = plan.constants.map((one) => (one.name === name ? { ...one, flashBytes } : one));
      const weightBytes = constants.reduce((sum, one) => sum + (one.flashBytes ?? one.bytes), 0);
      const changed = { ...plan, constants, totals: { ...plan.totals, weightBytes } };
      return verifyPlan(sealed(changed)).map(({ text }) => text);
    };
    expect(said('w', 18)).toEqual([]);
    expect(said('w', 17).join()).toContain('Weight w is said to take 17 bytes of flash, which it cannot');
    // A bias, and zero points of one dimension, are not packed.
    expect(said('bias', 4).join()).toContain('Weight bias is said to take 4 bytes');
    expect(said('zero', 4).join()).toContain('Weight zero is said to take 4 bytes');
    const { weightBits: _, ...others } = plan.assumptions;
    expect(
      verifyPlan(sealed({ ...plan, assumptions: others }))
        .map(({ text }) => text)
        .join(),
    ).toContain('Weight w is said to take 18 bytes');
  });
});
