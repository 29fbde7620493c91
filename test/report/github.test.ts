import { expect, test } from 'vitest';
import { diagnostic } from '../../src/errors.ts';
import { githubAnnotations, githubSummary } from '../../src/report/github.ts';
import { kws } from './samples.ts';

test('annotations escape what the runner would read', () => {
  const found = [
    diagnostic('E_OVER_BUDGET', '100 % of it:\r\n::all, really', { hint: 'less' }),
    diagnostic('N_SORTED', 'sorted'),
  ];
  expect(githubAnnotations(found, 'models/a,b:c.onnx')).toBe(
    '::error file=models/a%2Cb%3Ac.onnx,title=memplan E_OVER_BUDGET::100 %25 of it:\\x0d\\x0a::all, really%0Ahint: less\n' +
      '::notice file=models/a%2Cb%3Ac.onnx,title=memplan N_SORTED::sorted\n',
  );
  expect(githubAnnotations([], 'a.onnx')).toBe('');
});

test('the job summary is the Markdown report and the map', () => {
  const text = githubSummary(kws);
  expect(text).toContain('| arena | 31,744 |');
  expect(text).toMatch(/```text\nmap of AXISRAM: 31,744 bytes.*```\n/s);
});
