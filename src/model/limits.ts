/** What a model file may cost: every bound that keeps a hostile file from taking the machine with it. */

/** Nesting of protobuf messages; the C++ parser stops at 100 too. */
export const MAX_DEPTH = 100;

/** Data of one tensor or attribute up to this many bytes is kept; longer data is read from the file on demand. */
export const KEPT_DATA_BYTES = 4096;

/** Elements of one tensor written one field each; more can never be asked for (MAX_VALUE_ELEMENTS). */
export const KEPT_LOOSE_ELEMENTS = 65537;

/** Bytes of one name. Exporters write a few hundred at most. */
export const MAX_NAME_BYTES = 16 * 1024;

/** Characters of all names together, with the paths of bodies and inlined functions in front. */
export const MAX_NAME_CHARACTERS = 128 * 1024 * 1024;

/**
 * Bytes that the messages of a file may take in memory once they are decoded, by a generous estimate: a file of
 * two-byte empty messages grows two hundredfold. 200,000 nodes with attributes and value_info count 0.9 GB.
 */
const MAX_DECODED_BYTES = 1280 * 1024 * 1024;

/** What a scalar field is counted as; a message is counted as `Message.decodedBytes` more. */
export const FIELD_DECODED_BYTES = 64;

/** Bytes of a file without its large data. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;

/** What the walker keeps of a file. */
export interface KeptLimits {
  readonly decodedBytes: number;
  readonly keptBytes: number;
}

export const KEPT_LIMITS: KeptLimits = { decodedBytes: MAX_DECODED_BYTES, keptBytes: MAX_KEPT_BYTES };

/** The text of an attribute; longer content (compiled blobs of execution providers) is left out. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** Nodes after inlining local functions: a few functions that call each other twice grow without end. */
export const MAX_NODES = 2_000_000;

/** How deep local functions may call each other. */
export const MAX_CALL_DEPTH = 100;

/** Dimensions of one tensor. */
export const MAX_RANK = 64;

/** Files up to this size are hashed whole (see hash.ts). */
export const WHOLE_HASH_BYTES = 256 * 1024 * 1024;
