/** Prints views through the templates. */
import { type Later, withLoops } from './rows.ts';
import { template } from './templates.ts';

/**
 * The text in parts, so that a file of hundreds of megabytes is never in memory as a whole: it is printed anew whenever
 * somebody walks through it. `name` is that of the template.
 */
export function printInParts(name: string, view: object): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      const later: Later = [];
      yield* withLoops(template(name)(view, { data: { later } }), later);
    },
  };
}

export function print(name: string, view: object): string {
  return template(name)(view, {});
}
