/** What the report says about the order of the steps. */

import { type Diagnostic, diagnostic } from '../errors.ts';
import { percent } from '../percent.ts';

/** Arenas in bytes, with the order of the file and with another. */
export function betterOrderNote(before: number, after: number): Diagnostic {
  const text = `In another order of the steps the arena would need ${after} bytes instead of ${before}: ${saving(before, after)} less.`;
  return diagnostic('N_ORDER_SAVES', text, {
    hint: '--schedule min-peak plans that order; the firmware must then follow it.',
  });
}

/** How a search for the smallest peak ended. */
export interface Outcome {
  /** The arena in bytes: with the order of the file, and with the one that is planned. */
  readonly before: number;
  readonly after: number;
  /** The most bytes live at once in the order that is planned; no order has a smaller peak than `least`. */
  readonly peak: number;
  readonly least: number;
}

export function onlyOrderNote(): Diagnostic {
  return note('Each step needs the one before it: there is no other order, and nothing to gain.');
}

export function outcomeNote({ before, after, peak, least }: Outcome): Diagnostic {
  const gain =
    after < before
      ? `This order of the steps saves ${before - after} bytes: ${after} instead of ${before}, ${saving(before, after)} less.`
      : 'No order with a smaller arena than that of the file was found.';
  return note(`${gain} ${peak <= least ? proof(peak) : doubt(peak, least)}`);
}

function note(text: string): Diagnostic {
  return diagnostic('N_ORDER', text);
}

function proof(peak: number): string {
  return `Its peak of ${peak} bytes is proved to be the smallest of all orders.`;
}

function doubt(peak: number, least: number): string {
  return `Its peak is ${peak} bytes; that no order has one below ${least} is proved.`;
}

function saving(before: number, after: number): string {
  return percent(before - after, before);
}
