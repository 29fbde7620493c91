/** ELF files made by hand: sections with addresses, and symbols in them. Layout: System V ABI, chapter 4. */

export interface SectionSketch {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Default NOBITS. */
  readonly progbits?: true;
  /** Variables of threads. */
  readonly tls?: true;
  /** No memory at run time. */
  readonly debug?: true;
}

export interface SymbolSketch {
  readonly name: string;
  readonly section: string;
  readonly address: number;
  readonly size: number;
}

/** A linked file, ELF32 or `wide`. Contents of sections are not in it. */
export function elfFile(
  sections: readonly SectionSketch[],
  symbols: readonly SymbolSketch[],
  wide = false,
): Uint8Array {
  const names = strings([...sections.map(({ name }) => name), '.symtab', '.strtab']);
  const symbolNames = strings(symbols.map(({ name }) => name));
  const header = wide ? 64 : 52;
  const symbolSize = wide ? 24 : 16;
  const table = Buffer.alloc(symbolSize * (symbols.length + 1));
  symbols.forEach((symbol, i) => {
    const at = symbolSize * (i + 1);
    const index = 1 + sections.findIndex(({ name }) => name === symbol.section);
    table.writeUInt32LE(symbolNames.at(symbol.name), at);
    put(table, at + (wide ? 8 : 4), symbol.address, wide);
    put(table, at + (wide ? 16 : 8), symbol.size, wide);
    table.writeUInt16LE(index, at + (wide ? 6 : 14));
  });
  const strtab = Buffer.concat([symbolNames.bytes, names.bytes]);
  const symtabAt = header;
  const strtabAt = symtabAt + table.length;
  const headersAt = strtabAt + strtab.length;
  const base = symbolNames.bytes.length;
  const rows: Row[] = [
    { name: 0, type: 0, flags: 0, address: 0, offset: 0, size: 0, link: 0, entry: 0 },
    ...sections.map((s) => ({
      name: base + names.at(s.name),
      type: s.progbits ? 1 : 8,
      flags: (s.debug ? 0 : 2) + (s.tls ? 0x400 : 0),
      address: s.address,
      offset: header,
      size: s.size,
      link: 0,
      entry: 0,
    })),
    {
      name: base + names.at('.symtab'),
      type: 2,
      flags: 0,
      address: 0,
      offset: symtabAt,
      size: table.length,
      link: sections.length + 2,
      entry: symbolSize,
    },
    {
      name: base + names.at('.strtab'),
      type: 3,
      flags: 0,
      address: 0,
      offset: strtabAt,
      size: strtab.length,
      link: 0,
      entry: 0,
    },
  ];
  const start = Buffer.alloc(header);
  start.write('\x7fELF', 'latin1');
  start[4] = wide ? 2 : 1;
  start[5] = 1;
  start[6] = 1;
  start.writeUInt16LE(2, 16);
  put(start, wide ? 40 : 32, headersAt, wide);
  start.writeUInt16LE(wide ? 64 : 40, wide ? 58 : 46);
  start.writeUInt16LE(rows.length, wide ? 60 : 48);
  start.writeUInt16LE(rows.length - 1, wide ? 62 : 50);
  return Buffer.concat([start, table, strtab, ...rows.map((row) => headerOf(row, wide))]);
}

interface Row {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly entry: number;
}

function headerOf(row: Row, wide: boolean): Buffer {
  const out = Buffer.alloc(wide ? 64 : 40);
  const step = wide ? 8 : 4;
  out.writeUInt32LE(row.name, 0);
  out.writeUInt32LE(row.type, 4);
  [row.flags, row.address, row.offset, row.size].forEach((value, i) => {
    put(out, 8 + i * step, value, wide);
  });
  out.writeUInt32LE(row.link, 8 + 4 * step);
  put(out, 16 + 5 * step, row.entry, wide);
  return out;
}

function put(into: Buffer, at: number, value: number, wide: boolean): void {
  if (wide) into.writeBigUInt64LE(BigInt(value), at);
  else into.writeUInt32LE(value, at);
}

function strings(names: readonly string[]) {
  const offsets = new Map<string, number>();
  let bytes = Buffer.from([0]);
  for (const name of names) {
    offsets.set(name, bytes.length);
    bytes = Buffer.concat([bytes, Buffer.from(`${name}\0`, 'latin1')]);
  }
  return { bytes, at: (name: string) => offsets.get(name)! };
}
