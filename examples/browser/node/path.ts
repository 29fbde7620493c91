/** What memplan asks of `node:path`, for paths with forward slashes. */

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function dirname(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, Math.max(1, end));
}

/** Joins and takes out `.` and `..`; nothing lies above the root. */
export function join(...parts: string[]): string {
  const path = parts.join('/');
  const absolute = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!absolute) kept.push(part);
  }
  return (absolute ? '/' : '') + kept.join('/') || '.';
}

export const posix = { join, normalize: (path: string): string => join(path) };
