/** What memplan asks of `node:fs`, answered from memory: the dropped file and the targets, by absolute path. */
import targets from 'memplan:targets';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const files = new Map<string, Uint8Array>(
  Object.entries(targets).map(([file, text]) => [`/memplan/targets/${file}`, encoded(text)]),
);
/** Open files by handle: their number in this list. */
const open: Uint8Array[] = [];

export function putFile(path: string, content: Uint8Array): void {
  files.set(path, content);
}

type Path = string | URL;
const pathOf = (path: Path): string => (path instanceof URL ? path.pathname : path);

function isFolder(path: string): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`;
  return [...files.keys()].some((name) => name.startsWith(folder));
}

function contentOf(path: Path): Uint8Array {
  const content = files.get(pathOf(path));
  if (content === undefined) throw Object.assign(new Error(`no file ${pathOf(path)}`), { code: 'ENOENT' });
  return content;
}

function statOf(size: number, isFile: boolean) {
  return { size, isFile: () => isFile, isDirectory: () => !isFile };
}

export function existsSync(path: Path): boolean {
  return files.has(pathOf(path)) || isFolder(pathOf(path));
}

export function statSync(path: Path) {
  return isFolder(pathOf(path)) ? statOf(0, false) : statOf(contentOf(path).length, true);
}

export function openSync(path: Path): number {
  return open.push(contentOf(path)) - 1;
}

export function fstatSync(file: number) {
  return statOf(open[file]!.length, true);
}

export function readSync(file: number, into: Uint8Array, at: number, bytes: number, from: number): number {
  const part = open[file]!.subarray(from, from + bytes);
  into.set(part, at);
  return part.length;
}

export function closeSync(): void {}

export function readdirSync(folder: Path): string[] {
  const start = pathOf(folder).replace(/\/?$/, '/');
  const names = [...files.keys()].filter((name) => name.startsWith(start));
  return [...new Set(names.map((name) => name.slice(start.length).split('/')[0]!))];
}

export function readFileSync(path: Path): string {
  return new TextDecoder().decode(contentOf(path));
}
