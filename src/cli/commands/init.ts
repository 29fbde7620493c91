/** memplan init <models>: writes a first memplan.config.json, and says what is a placeholder in it. */
import { existsSync } from 'node:fs';
import { writeFiles } from '../../emit/write.ts';
import { fail } from '../../errors.ts';
import { readModel } from '../../model/read.ts';
import { filesText } from '../../report/files.ts';
import { jsonText } from '../../report/json.ts';
import { printable } from '../../report/text.ts';
import { loadTarget } from '../../target/load.ts';
import { CONFIG_FILE } from '../config/find.ts';
import type { Context } from '../context.ts';
import { firstEntry } from '../first-config.ts';
import { slashed } from '../io.ts';
import type { Invocation } from '../program.ts';
import { targetPath } from '../request.ts';

/** Where an installation has it. */
const SCHEMA = './node_modules/memplan/schemas/config.schema.json';
const PLACEHOLDER_TARGET = 'stm32h743';

export function command({ operands, options }: Invocation, context: Context): number {
  const { at, err, errPaint, outPaint, quiet, json } = context;
  if (existsSync(at(CONFIG_FILE))) {
    fail('E_USAGE', `${CONFIG_FILE} exists already`, { hint: 'edit it, or delete it first' });
  }
  const { target } = options;
  if (typeof target === 'string') loadTarget(targetPath(target, at));
  const entries = operands.map((file) => firstEntry(slashed(file), readModel(at(file))));
  const config = {
    $schema: SCHEMA,
    target: typeof target === 'string' ? target : PLACEHOLDER_TARGET,
    models: entries.map(({ entry }) => entry),
  };
  writeFiles(at('.'), [{ name: CONFIG_FILE, text: jsonText(config) }]);
  if (json) context.out(jsonText(config));
  context.tell(filesText([{ name: CONFIG_FILE, status: 'written' }], json ? errPaint : outPaint));
  const open = [
    ...(target === undefined ? ['target: memplan targets lists what is built in'] : []),
    ...entries.flatMap(({ open }, index) => open.map((text) => `models[${index}].${text}`)),
  ];
  if (open.length > 0 && !quiet) {
    err(`placeholders, to be replaced:\n${open.map((text) => `  ${printable(text)}\n`).join('')}`);
  }
  return 0;
}
