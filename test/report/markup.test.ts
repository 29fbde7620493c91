import { expect, test } from 'vitest';
import { decimal, escaped, jsonMarkup, markup, trusted } from '../../src/report/markup.ts';

test('what is put into a template is escaped, markup is not', () => {
  const name = '</b><script>"x"&\'y\'';
  expect(markup`<b title="${name}">${name}</b>`.markup).toBe(
    '<b title="&lt;/b&gt;&lt;script&gt;&quot;x&quot;&amp;&#39;y&#39;">&lt;/b&gt;&lt;script&gt;&quot;x&quot;&amp;&#39;y&#39;</b>',
  );
  expect(markup`<p>${[markup`<i>${1}</i>`, trusted('<br>')]}</p>`.markup).toBe('<p><i>1</i><br></p>');
});

test('what is absent leaves nothing behind', () => {
  expect(markup`a${undefined}b${false}c${''}d${[]}e${0}f`.markup).toBe('abcde0f');
});

test('characters that XML does not know, or that steer a reader, become visible', () => {
  expect(escaped('\u0000\u001b\u202e\ud800\ufffe\uffff\ttwo\nlines')).toBe(
    '\\x00\\x1b\\u{202e}\\u{d800}\\u{fffe}\\u{ffff}\\x09two\nlines',
  );
});

test('nothing in a document can end the element it stands in', () => {
  const document = { name: '</script><!--<script>&amp;', value: [1, null] };
  const text = jsonMarkup(document).markup;
  expect(text).not.toMatch(/[<>&]/);
  expect(JSON.parse(text)).toEqual(document);
});

test.each([
  [1 / 3, 4, '0.3333'],
  [12.5, 4, '12.5'],
  [-0.00001, 4, '0'],
  [1e21, 2, '1e+21'],
  [7, 0, '7'],
])('%f with %i decimals is %s', (value, digits, text) => {
  expect(decimal(value, digits)).toBe(text);
});
