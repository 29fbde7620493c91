/**
 * Reads sections and symbols of a linked ELF file, 32 or 64 bits, little endian. Source: the System V ABI, chapter 4
 * (object files), and the generic ELF-64 layout.
 */
import { fail } from '../errors.ts';
import { damaged, type ElfBytes, elfBytes } from './bytes.ts';
import type { Elf, ElfSection, ElfSymbol } from './types.ts';

const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
const SHT_SYMTAB_SHNDX = 18;
const SHF_ALLOC = 2;
const SHF_TLS = 0x400;
const SHN_LORESERVE = 0xff00;
const SHN_XINDEX = 0xffff;

/** Offsets of fields, and sizes of entries, in ELF32 and ELF64. */
const LAYOUT = {
  narrow: {
    header: { size: 52, shoff: 32, shentsize: 46, shnum: 48, shstrndx: 50 },
    section: { size: 40, flags: 8, address: 12, offset: 16, bytes: 20, link: 24, entry: 36 },
    symbol: { size: 16, value: 4, bytes: 8, section: 14 },
  },
  wide: {
    header: { size: 64, shoff: 40, shentsize: 58, shnum: 60, shstrndx: 62 },
    section: { size: 64, flags: 8, address: 16, offset: 24, bytes: 32, link: 40, entry: 56 },
    symbol: { size: 24, value: 8, bytes: 16, section: 6 },
  },
} as const;

/** A section's header as it stands. */
interface Header {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly entry: number;
}

/** `file` is the file's name for messages. Throws E_ELF. */
export function readElf(bytes: Uint8Array, file: string): Elf {
  const wide = classOf(bytes, file);
  const elf = elfBytes(bytes, wide, file);
  const { headers, names } = sectionHeaders(elf);
  const nameOf = nameReader(elf, names, headers);
  const sections = headers.map((header): ElfSection => {
    const { type, flags, address, size } = header;
    // The address of a thread's variables without values is that of whatever comes next.
    const perThread = has(flags, SHF_TLS) && type === SHT_NOBITS;
    const allocated = has(flags, SHF_ALLOC) && !perThread;
    return { name: nameOf(header.name), allocated, nobits: type === SHT_NOBITS, address, size };
  });
  const tables = headers.filter(({ type }) => type === SHT_SYMTAB);
  if (tables.length === 0) {
    const hint = 'check the firmware before its symbols are stripped';
    fail('E_ELF', `${file} has no table of symbols, so the arenas cannot be found in it.`, { hint });
  }
  return { sections, symbols: tables.flatMap((table) => symbolsOf(elf, headers, table)) };
}

function has(flags: number, flag: number): boolean {
  return Math.floor(flags / flag) % 2 === 1;
}

/** True for ELF64. */
function classOf(bytes: Uint8Array, file: string): boolean {
  const hint = 'name the file that the linker wrote, firmware.elf or firmware.axf';
  if (bytes.length < 20 || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== '\x7fELF') {
    return fail('E_ELF', `${file} is no ELF file.`, { hint });
  }
  const [, , , , width, order] = bytes;
  if ((width !== 1 && width !== 2) || (order !== 1 && order !== 2)) damaged(file, 'its class is unknown');
  if (order === 2) fail('E_ELF', `${file} is big endian, which no target of memplan is.`);
  const type = bytes[16]! + 256 * bytes[17]!;
  if (type !== 2 && type !== 3)
    fail('E_ELF', `${file} is not linked yet: its arenas have no addresses.`, { hint });
  return width === 2;
}

function sectionHeaders(elf: ElfBytes): { readonly headers: readonly Header[]; readonly names: number } {
  const { header: at, section } = elf.wide ? LAYOUT.wide : LAYOUT.narrow;
  const start = elf.long(at.shoff);
  if (start === 0) return damaged(elf.file, 'it has no sections');
  const entry = elf.half(at.shentsize);
  if (entry < section.size) return damaged(elf.file, 'its table of sections has entries of a wrong size');
  const headerAt = (index: number) => sectionHeader(elf, start + index * entry);
  // Numbers that do not fit into 16 bits stand in the first section.
  const first = headerAt(0);
  const count = elf.half(at.shnum) || first.size;
  if (count > Math.floor((elf.length - start) / entry)) damaged(elf.file, 'it ends before its sections do');
  const headers = Array.from({ length: count }, (_, i) => headerAt(i));
  const names = elf.half(at.shstrndx);
  return { headers, names: names === SHN_XINDEX ? first.link : names };
}

function sectionHeader(elf: ElfBytes, at: number): Header {
  const { section } = elf.wide ? LAYOUT.wide : LAYOUT.narrow;
  return {
    name: elf.word(at),
    type: elf.word(at + 4),
    flags: elf.long(at + section.flags),
    address: elf.long(at + section.address),
    offset: elf.long(at + section.offset),
    size: elf.long(at + section.bytes),
    link: elf.word(at + section.link),
    entry: elf.long(at + section.entry),
  };
}

/** Names are offsets into a section. */
function nameReader(elf: ElfBytes, index: number, headers: readonly Header[]): (offset: number) => string {
  const table = headers[index];
  if (table === undefined || table.type === SHT_NOBITS) return damaged(elf.file, 'its names are missing');
  const { offset: start, size } = table;
  if (start + size > elf.length) return damaged(elf.file, 'it ends before its names do');
  return (offset) => {
    if (offset === 0) return '';
    return offset < size
      ? elf.text(start + offset, start + size)
      : damaged(elf.file, 'a name lies outside its table');
  };
}

function symbolsOf(elf: ElfBytes, headers: readonly Header[], table: Header): readonly ElfSymbol[] {
  const { symbol } = elf.wide ? LAYOUT.wide : LAYOUT.narrow;
  if (
    table.entry !== symbol.size ||
    table.size % symbol.size !== 0 ||
    table.offset + table.size > elf.length
  ) {
    damaged(elf.file, 'its table of symbols has a wrong size');
  }
  const nameOf = nameReader(elf, table.link, headers);
  const sectionOf = sectionFinder(elf, headers, table);
  return Array.from({ length: table.size / symbol.size }, (_, i) => {
    const at = table.offset + i * symbol.size;
    return {
      name: nameOf(elf.word(at)),
      address: elf.long(at + symbol.value),
      size: elf.long(at + symbol.bytes),
      section: sectionOf(elf.half(at + symbol.section), i),
    };
  });
}

/** Files with very many sections keep their numbers in a table of their own. */
function sectionFinder(elf: ElfBytes, headers: readonly Header[], table: Header) {
  const long = headers.find((h) => h.type === SHT_SYMTAB_SHNDX && headers[h.link] === table);
  return (index: number, symbol: number): number | undefined => {
    const found = index === SHN_XINDEX && long !== undefined ? elf.word(long.offset + 4 * symbol) : index;
    if (found === 0 || (index >= SHN_LORESERVE && index !== SHN_XINDEX)) return undefined;
    return found < headers.length ? found : damaged(elf.file, 'a symbol lies in no section');
  };
}
