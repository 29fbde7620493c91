/** Says what a file is that is not an ONNX model. */

/** How many bytes `describeForeign` wants to see. */
export const SNIFFED_BYTES = 512;

interface Kind {
  readonly what: string;
  readonly hint?: string;
  /** The bytes at `at`, as Latin-1 text. */
  readonly magic: string;
  readonly at?: number;
}

const KINDS: readonly Kind[] = [
  {
    magic: 'version https://git-lfs.github.com/spec/',
    what: 'a Git LFS pointer, not the model itself',
    hint: 'Run git lfs pull to fetch the model.',
  },
  {
    magic: 'TFL3',
    at: 4,
    what: 'a TensorFlow Lite model',
    hint: 'Convert it to ONNX first, for instance with tf2onnx.',
  },
  {
    magic: 'ORTM',
    at: 4,
    what: 'a model in ONNX Runtime format',
    hint: 'Use the .onnx file it was made from.',
  },
  {
    magic: 'PK\x03\x04',
    what: 'a zip archive (PyTorch and Keras models are zip files too)',
    hint: 'Unpack it, or export the model to ONNX.',
  },
  { magic: '\x1f\x8b', what: 'a gzip file', hint: 'Unpack it with gunzip.' },
  { magic: 'BZh', what: 'a bzip2 file', hint: 'Unpack it with bunzip2.' },
  { magic: '\xfd7zXZ\x00', what: 'an xz file', hint: 'Unpack it with unxz.' },
  { magic: '\x28\xb5\x2f\xfd', what: 'a zstd file', hint: 'Unpack it with unzstd.' },
  { magic: '7z\xbc\xaf\x27\x1c', what: 'a 7-Zip archive', hint: 'Unpack it first.' },
  { magic: 'ustar', at: 257, what: 'a tar archive', hint: 'Unpack it with tar.' },
  { magic: '\x89HDF\r\n', what: 'an HDF5 file (an older Keras model)', hint: 'Export the model to ONNX.' },
  { magic: '\x93NUMPY', what: 'a NumPy array' },
  { magic: 'GGUF', what: 'a GGUF model', hint: 'Export the model to ONNX.' },
  { magic: '\x7fELF', what: 'an ELF program or object file' },
  { magic: '%PDF', what: 'a PDF document' },
  { magic: '\x89PNG', what: 'a PNG picture' },
  { magic: '\xff\xd8\xff', what: 'a JPEG picture' },
  { magic: '\x00asm', what: 'a WebAssembly module' },
  { magic: '7767517\n', what: 'an ncnn model', hint: 'Use the ONNX model it was made from.' },
];

/** `what` completes "The file is ..."; undefined where it may be an ONNX model. `head`: the file's first bytes. */
export function describeForeign(
  head: Uint8Array,
): { readonly what: string; readonly hint?: string } | undefined {
  if (head.length === 0) return { what: 'empty', hint: 'Fetch or export the model again.' };
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join('');
  const kind = KINDS.find(({ magic, at = 0 }) => text.startsWith(magic, at));
  if (kind !== undefined) return kind;
  if (head.every((byte) => byte === 0)) {
    return { what: 'full of zero bytes', hint: 'The copy or download failed; fetch the model again.' };
  }
  if (head[0] === 0x80 && head[1]! >= 2 && head[1]! <= 5) {
    return { what: 'a Python pickle (perhaps a PyTorch model)', hint: 'Export the model to ONNX.' };
  }
  if (/^[\s\ufeff]*<(!doctype|html|head|body|\?xml)/i.test(text.replace(/^\xef\xbb\xbf/, ''))) {
    return {
      what: 'a web page or XML file, not a model',
      hint: 'The download got a page instead of the model.',
    };
  }
  if (/^.{8}\{"/s.test(text) && head[7] === 0) {
    return { what: 'a safetensors file: weights without a graph', hint: 'Export the model to ONNX.' };
  }
  return describeText(head, text);
}

/** Text is never an ONNX model: field 1 of its protobuf form starts with byte 8, a backspace. */
function describeText(
  head: Uint8Array,
  text: string,
): { readonly what: string; readonly hint?: string } | undefined {
  if (!head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))) return undefined;
  if (/^\s*(ir_version|producer_name|graph)\s*[:{]/.test(text)) {
    return { what: 'an ONNX model in text form', hint: 'Convert it to the binary form with onnx.save.' };
  }
  if (/^\s*[{[]/.test(text)) return { what: 'a JSON file' };
  const start = text
    .slice(0, 40)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return { what: `text, not a model; it starts with "${start}"` };
}
