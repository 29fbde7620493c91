/** Weights in files of their own: where they lie, whether they are there, and no way out of the model's folder. */
import { closeSync, openSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { DataPlace } from '../graph/types.ts';
import type { Faults } from './faults.ts';
import type { TensorProto } from './proto.ts';
import { readRange } from './source.ts';

export interface ExternalFiles {
  /** Where the data of an external tensor lies; undefined after a fault. `bytes`: what its type and shape need. */
  readonly place: (tensor: TensorProto, name: string, bytes: number | undefined) => DataPlace | undefined;
  /** The bytes at a place, or undefined where the file is missing or short. */
  readonly read: (place: DataPlace) => Uint8Array | undefined;
  /** All files named so far, sorted, as given in the model. */
  readonly names: () => readonly string[];
  /** Warns once of each file that is missing or short. */
  readonly warn: () => void;
}

/** `modelPath`: external paths are relative to its folder, wherever symbolic links may lead from there. */
export function externalFiles(modelPath: string, faults: Faults): ExternalFiles {
  const needed = new Map<string, { end: number; tensor: string; tensors: number }>();

  function place(tensor: TensorProto, name: string, bytes: number | undefined): DataPlace | undefined {
    const entries = new Map((tensor.externalData ?? []).map((e) => [e.key ?? '', e.value ?? '']));
    const location = normalised(entries.get('location') ?? '');
    if (location === undefined) {
      faults.add(
        'E_MODEL',
        `The weight ${name} lies in "${entries.get('location')}", outside the model's folder.`,
        {
          tensor: name,
          hint: 'External data must lie in the folder of the model or below it.',
        },
      );
      return undefined;
    }
    const offset = wholeNumber(entries.get('offset') ?? '0');
    const length = entries.has('length') ? wholeNumber(entries.get('length')!) : (bytes ?? 0);
    if (location === '' || offset === undefined || length === undefined) {
      const said = [...entries].map(([key, value]) => `${key}=${value}`).join(', ');
      faults.add(
        'E_MODEL',
        `The external data of the weight ${name} cannot be understood: ${said || 'nothing'}.`,
        {
          tensor: name,
        },
      );
      return undefined;
    }
    if (bytes !== undefined && entries.has('length') && length !== bytes) {
      faults.add('E_MODEL', `The weight ${name} needs ${bytes} bytes, but its external data has ${length}.`, {
        tensor: name,
      });
      return undefined;
    }
    const known = needed.get(location);
    if (known === undefined) needed.set(location, { end: offset + length, tensor: name, tensors: 1 });
    else {
      known.tensors += 1;
      if (offset + length > known.end) {
        known.end = offset + length;
        known.tensor = name;
      }
    }
    return { file: location, offset, bytes: length };
  }

  function read({ file, offset, bytes }: DataPlace): Uint8Array | undefined {
    const path = file === null ? modelPath : join(dirname(modelPath), file);
    let handle: number;
    try {
      handle = openSync(path, 'r');
    } catch {
      return undefined;
    }
    try {
      const got = readRange(handle, offset, bytes);
      return got.length === bytes ? got : undefined;
    } catch {
      return undefined;
    } finally {
      closeSync(handle);
    }
  }

  function warn(): void {
    for (const [location, { end, tensor, tensors }] of [...needed].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const size = fileSize(join(dirname(modelPath), location));
      const of = tensors === 1 ? `the weight ${tensor}` : `${tensors} weights`;
      if (size === undefined) {
        faults.add('W_EXTERNAL_DATA', `The file ${location} with ${of} is missing; only sizes are known.`, {
          tensor,
        });
      } else if (size < end) {
        const text = `The file ${location} has ${size} bytes, but the weight ${tensor} ends at byte ${end}.`;
        faults.add('W_EXTERNAL_DATA', text, { tensor });
      }
    }
  }

  return { place, read, names: () => [...needed.keys()].sort(), warn };
}

/** With forward slashes and without detours; undefined where it is absolute or leads out of the folder. */
function normalised(location: string): string | undefined {
  const slashed = location.replaceAll('\\', '/');
  if (slashed === '') return '';
  if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed) || slashed.includes('\0')) return undefined;
  const path = posix.normalize(slashed);
  return path === '..' || path.startsWith('../') ? undefined : path;
}

function wholeNumber(text: string): number | undefined {
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

function fileSize(path: string): number | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}
