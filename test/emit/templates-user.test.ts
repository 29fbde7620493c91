/** Templates of the user: in place of the package's, beside them, and refused with their name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles, renderOthers } from '../../src/emit/render.ts';
import { templateNames } from '../../src/emit/templates-folder.ts';
import { userTemplates } from '../../src/emit/templates-user.ts';
import { emptyFolder } from '../support/generated.ts';
import { targetOf } from '../support/plans.ts';
import { EVERYDAY } from '../support/sample-plans.ts';

function folder(files: Readonly<Record<string, string>>): string {
  const dir = emptyFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

const target = targetOf(EVERYDAY);
const rendered = (files: Readonly<Record<string, string>>) => {
  const templates = userTemplates(folder(files));
  const own = renderOthers(EVERYDAY, target, { templates });
  return [...renderFiles(EVERYDAY, target, { templates }), ...own].map(({ name, text }) => ({
    name,
    text: [...text].join(''),
  }));
};
const PLAIN = renderFiles(EVERYDAY, target);

describe('templates of the user', () => {
  it('take the place of one of ours, and leave the others', () => {
    const [header, source] = rendered({
      'tensor_memory_pool.h.hbs': '{{! memplan view 3 }}{{P}} {{hash.suffix}}',
    });
    expect(header!.text).toBe(`KWS ${EVERYDAY.planHash.slice(0, 8)}`);
    expect(source).toEqual(PLAIN[1]);
  });

  it('a partial of theirs is called by a template of ours, and one of ours by theirs', () => {
    const [header] = rendered({
      'partials/ports.hbs': '/* ports of {{file}} */',
      'a.txt.hbs': '{{#each models}}{{> ports}}{{/each}}{{> codes}}',
    });
    expect(header!.text).toContain('/* ports of kws.onnx */');
    const files = rendered({ 'a.txt.hbs': '{{> codes}}' });
    expect(files.map(({ name }) => name)).toEqual(['tensor_memory_pool.h', 'tensor_memory_pool.c', 'a.txt']);
    expect(files[2]!.text).toContain('#define KWS_TYPE_FLOAT32 1');
  });

  it('see every tensor with its numbers', () => {
    const [, , table] = rendered({ 't.hbs': '{{#each tensors}}{{macro}}={{size}};{{/each}}' });
    expect(table!.text).toBe(EVERYDAY.tensors.map(({ c, bytes }) => `KWS_T_${c}=${bytes}u;`).join(''));
  });

  it.each([
    [{ 'a.hbs': '{{#each tensors}}' }, /a\.hbs: Parse error/],
    [{ 'a.hbs': '{{> nowhere}}' }, /a\.hbs: The partial nowhere could not be found/],
    [{ 'a.hbs': '{{colour}}' }, /a\.hbs: "colour" not defined/],
    [
      { 'a.hbs': '{{! memplan view 99 }}' },
      /a\.hbs is written for version 99 of the view; this memplan has 3/,
    ],
    [{ 'partials/a.hbs': '{{' }, /a\.hbs: Parse error/],
    [{ 'readme.md': 'no template' }, /there is no template/],
  ] as const)('%j is refused', (files, expected) => {
    expect(() => rendered(files as Readonly<Record<string, string>>)).toThrow(expected);
  });

  it('a folder that is not there is refused', () => {
    expect(() => userTemplates(join(emptyFolder(), 'none'))).toThrow('there is no such folder');
  });

  it('are named for the depfile', () => {
    expect(templateNames(folder({ 'b.hbs': '', 'a.hbs': '', 'partials/p.hbs': '', 'c.txt': '' }))).toEqual([
      'a.hbs',
      'b.hbs',
      'partials/p.hbs',
    ]);
    expect(templateNames('/nowhere')).toEqual([]);
  });
});
