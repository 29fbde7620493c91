/** What is read of an ELF file: its sections and symbols. */

export interface ElfSection {
  readonly name: string;
  /** Has bytes at run time (SHF_ALLOC). */
  readonly allocated: boolean;
  /** Takes no bytes of the file (SHT_NOBITS). */
  readonly nobits: boolean;
  readonly address: number;
  readonly size: number;
}

export interface ElfSymbol {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Index of its section; undefined: it has none, or is absolute. */
  readonly section: number | undefined;
}

export interface Elf {
  readonly sections: readonly ElfSection[];
  readonly symbols: readonly ElfSymbol[];
}
