/** Writing: only what changed, all or nothing, and clear words when it cannot be. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { staleFiles, writeAll, writeFiles } from '../../src/emit/write.ts';
import { MemplanError } from '../../src/errors.ts';
import { emptyFolder } from '../support/generated.ts';

const FILES = [
  { name: 'a.h', text: 'header\n' },
  { name: 'a.c', text: 'source\n' },
];

function faultOf(action: () => unknown): MemplanError {
  try {
    action();
  } catch (error) {
    if (error instanceof MemplanError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

it('writes new files into a folder it makes, and leaves nothing else there', () => {
  const dir = join(emptyFolder(), 'new', 'deep');
  expect(writeFiles(dir, FILES)).toEqual([
    { name: 'a.h', status: 'written' },
    { name: 'a.c', status: 'written' },
  ]);
  expect(readFileSync(join(dir, 'a.h'), 'utf8')).toBe('header\n');
  expect(readdirSync(dir).sort()).toEqual(['a.c', 'a.h']);
});

it('does not touch a file that already holds the text', () => {
  const dir = emptyFolder();
  writeFiles(dir, FILES);
  utimesSync(join(dir, 'a.h'), 1000, 1000);
  const changed = [FILES[0]!, { name: 'a.c', text: 'other\n' }];
  expect(writeFiles(dir, changed).map((f) => f.status)).toEqual(['unchanged', 'written']);
  expect(statSync(join(dir, 'a.h')).mtimeMs).toBe(1_000_000);
});

it('replaces by rename: a reader of the old file keeps the old file', () => {
  const dir = emptyFolder();
  writeFiles(dir, FILES);
  const before = statSync(join(dir, 'a.h')).ino;
  writeFiles(dir, [{ name: 'a.h', text: 'new\n' }]);
  expect(statSync(join(dir, 'a.h')).ino).not.toBe(before);
});

it('keeps links and permissions', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'real.h'), 'old');
  chmodSync(join(dir, 'real.h'), 0o640);
  symlinkSync('real.h', join(dir, 'a.h'));
  writeFiles(dir, [FILES[0]!]);
  expect(readFileSync(join(dir, 'real.h'), 'utf8')).toBe('header\n');
  expect(statSync(join(dir, 'real.h')).mode & 0o777).toBe(0o640);
});

it('changes nothing when one of the files cannot be written', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'a.h'), 'old');
  mkdirSync(join(dir, 'a.c'));
  const fault = faultOf(() => writeFiles(dir, FILES));
  expect(fault.code).toBe('E_WRITE');
  expect(fault.message).toContain('a.c cannot be written: it is a folder');
  expect(readFileSync(join(dir, 'a.h'), 'utf8')).toBe('old');
  expect(readdirSync(dir).sort()).toEqual(['a.c', 'a.h']);
});

it('says so when part of the path is a file', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'file'), '');
  expect(faultOf(() => writeFiles(join(dir, 'file', 'sub'), FILES)).message).toContain(
    'part of its path is a file',
  );
});

it('lists what --check finds missing or different, and writes nothing', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'a.h'), 'old');
  expect(staleFiles(dir, FILES).map((d) => [d.code, d.text])).toEqual([
    ['E_STALE', 'a.h is not what would be written.'],
    ['E_STALE', 'a.c does not exist.'],
  ]);
  expect(existsSync(join(dir, 'a.c'))).toBe(false);
  writeFiles(dir, FILES);
  expect(staleFiles(dir, FILES)).toEqual([]);
  expect(staleFiles(join(dir, 'nowhere'), FILES)).toHaveLength(2);
});

it('sees a difference of one byte that is no valid UTF-8', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'a.h'), Buffer.from([0xff]));
  expect(writeFiles(dir, [{ name: 'a.h', text: '\ufffd' }])[0]!.status).toBe('written');
});

it('makes the stamp newer', () => {
  const stamp = join(emptyFolder(), 'sub', 'done');
  const touched = [{ path: stamp, text: '', touch: true }] as const;
  expect(writeAll(touched)).toEqual(['written']);
  utimesSync(stamp, 1000, 1000);
  expect(writeAll(touched)).toEqual(['written']);
  expect(statSync(stamp).mtimeMs).toBeGreaterThan(1_000_000);
});

it('changes nothing in any folder when one of them cannot be written', () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'file'), '');
  const files = ['one/a.h', 'two/a.h', 'file/plan.d'].map((name) => ({ path: join(dir, name), text: 'new' }));
  expect(faultOf(() => writeAll(files)).message).toContain('part of its path is a file');
  expect(readdirSync(join(dir, 'one'))).toEqual([]);
  expect(readdirSync(join(dir, 'two'))).toEqual([]);
});
