/** The pools for what no plan can know (`--emit pool`), as files beside the header. */
import { runtimeText, withoutIncludes } from './runtime.ts';
import type { TextFile } from './write.ts';

const FOLDER = 'pool';
const HEADERS = ['tensor_pool_base.h', 'tensor_pool.h', 'tensor_fast_pool.h'];
/** One after the other they are one source. */
const PARTS = [
  'tensor_pool_base.c',
  'tensor_pool.c',
  'tensor_fast_blocks.h',
  'tensor_fast_blocks.c',
  'tensor_fast_classes.c',
  'tensor_fast_pool.c',
];

/** The same for every plan: a firmware with two models compiles them once. */
export function poolFiles(): readonly TextFile[] {
  const parts = PARTS.map((name) => withoutGuard(withoutIncludes(runtimeText(`${FOLDER}/${name}`))));
  const includes = ['tensor_fast_pool.h', 'tensor_pool.h'].map((name) => `#include "${name}"\n`);
  const library = ['stdbool.h', 'string.h'].map((name) => `#include <${name}>\n`);
  return [
    ...HEADERS.map((name) => ({ name, text: runtimeText(`${FOLDER}/${name}`) })),
    { name: 'tensor_pool.c', text: [...includes, '\n', ...library, '\n', parts.join('\n')].join('') },
  ];
}

/** Of a header that stands inside a source. */
function withoutGuard(text: string): string {
  const guarded = /^#ifndef (\w+)\n#define \1\n([\s\S]*)#endif\n$/m.exec(text);
  return guarded === null ? text : `${text.slice(0, guarded.index)}${guarded[2]!.trim()}\n`;
}
