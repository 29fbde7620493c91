/** Suggestions for mistyped names, against distances counted by hand. */
import { expect, it } from 'vitest';
import { nearestNames } from '../../src/target/nearest.ts';

const KNOWN = [
  'cortex-a53',
  'cortex-m33',
  'cortex-m4',
  'cortex-m55',
  'cortex-m7',
  'rp2040',
  'stm32h743',
  'stm32h750',
];

it.each<[string, readonly string[]]>([
  ['stm32h734', ['stm32h743', 'stm32h750']], // a swap: 1; 34 to 50: 2
  ['STM32H743', ['stm32h743', 'stm32h750']], // 0; 43 to 50: 2
  ['stm32', ['stm32h743', 'stm32h750']], // both begin with it
  ['cortex-m', ['cortex-m33', 'cortex-m4', 'cortex-m55', 'cortex-m7', 'cortex-a53']], // four begin with it; 3
  ['cortexm7', ['cortex-m7', 'cortex-m4', 'cortex-m33', 'cortex-m55']], // 1, 2, 3, 3
  ['rp2040x', ['rp2040']],
  ['2040', ['rp2040']],
  ['st', []], // too short to say
  ['k', []],
  ['', []],
  ['constructor', []],
])('%s: %j', (unknown, near) => {
  expect(nearestNames(unknown, KNOWN)).toEqual(near);
});
