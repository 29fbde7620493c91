import { expect, test } from 'vitest';
import { csv } from '../../src/report/csv.ts';
import { jsonParts, jsonText } from '../../src/report/json.ts';
import { kws, twoRegions, wide } from './samples.ts';

test.each([
  ['kws', kws],
  ['twoRegions', twoRegions],
  ['wide', wide],
])('the plan of %s reads back as it was, one line per tensor', (_, plan) => {
  const text = jsonText(plan);
  expect(JSON.parse(text)).toEqual(plan);
  expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(plan));
  for (const { name } of plan.tensors) {
    const start = `    { "model": 0, "name": ${JSON.stringify(name)}, `;
    expect(text.split('\n').filter((line) => line.startsWith(start))).toHaveLength(1);
  }
  expect(text.endsWith('}\n')).toBe(true);
});

test('layout', () => {
  const document = {
    a: 1,
    b: [],
    c: {},
    d: [1, 2],
    e: { f: [1, 2], g: null, h: { i: 'x' } },
    j: [{ k: [{ l: 1 }, { l: 2 }], m: undefined }],
  };
  expect(jsonText(document)).toBe(`{
  "a": 1,
  "b": [],
  "c": {},
  "d": [
    1,
    2
  ],
  "e": {
    "f": [1,2],
    "g": null,
    "h": { "i": "x" }
  },
  "j": [
    { "k": [{ "l": 1 }, { "l": 2 }] }
  ]
}
`);
});

test('a long list comes in parts, again whenever somebody asks', () => {
  const tensors = Array.from({ length: 2500 }, (_, i) => ({ name: `t${i}`, shape: [1, i] }));
  const lines = tensors.map(({ name, shape: [, i] }) => `    { "name": "${name}", "shape": [1,${i}] }`);
  const whole = `{\n  "first": 1,\n  "tensors": [\n${lines.join(',\n')}\n  ],\n  "none": []\n}\n`;
  const parts = jsonParts({ first: 1, tensors, none: [] });
  for (let turn = 0; turn < 2; turn++) {
    const list = [...parts];
    expect(list.join('')).toBe(whole);
    expect(Math.max(...list.map(({ length }) => length))).toBeLessThan(whole.length / 2);
  }
});

test('values that JSON has no word for become null, as everywhere', () => {
  expect(jsonText({ a: [{ b: [Number.NaN, undefined] }] })).toBe(
    '{\n  "a": [\n    { "b": [null,null] }\n  ]\n}\n',
  );
});

test('buffers as CSV', () => {
  expect(csv(kws)).toBe(`id,lower,upper,size,alignment,offset,gaps,region,kind,tensors
0,0,1,1024,16,0,,AXISRAM,input,input
1,0,3,6144,16,1024,,AXISRAM,activation,conv1/out conv1/relu
2,2,4,24576,16,7168,,AXISRAM,activation,conv2/out
3,3,4,48,16,0,,AXISRAM,output,scores
`);
});
