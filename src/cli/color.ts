/** Decides per stream whether to colour, and loads chalk only then. */
import { type Paint, plain } from '../report/paint.ts';
import type { Io, Output } from './io.ts';

/**
 * `asked` is --color (true), --no-color (false) or neither. Then FORCE_COLOR and NO_COLOR decide, then the
 * terminal. Sources: no-color.org, force-color.org, and `tty.WriteStream.hasColors` of Node.
 */
export function wantsColour(asked: boolean | undefined, env: Io['env'], stream: Output): boolean {
  if (asked !== undefined) return asked;
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb') return false;
  return stream.isTTY === true && stream.hasColors?.() === true;
}

/** The colours of one stream. */
export async function paintFor(asked: boolean | undefined, io: Io, stream: Output): Promise<Paint> {
  if (!wantsColour(asked, io.env, stream)) return plain;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    strong: chalk.bold,
    heading: chalk.bold,
    faint: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
    caution: chalk.yellow,
    advice: chalk.cyan,
    series: [chalk.cyan, chalk.yellow, chalk.green, chalk.magenta, chalk.blue, chalk.red],
  };
}
