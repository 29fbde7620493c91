/** What the page and the worker tell each other. */
import type { RenderedFile } from '../../src/emit/render.ts';
import type { Diagnostic } from '../../src/errors.ts';

export interface Question {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly target: string;
  /** As typed: `batch=1 x:1,3,48,192`. */
  readonly sizes: string;
}

export type Answer =
  | { readonly kind: 'progress'; readonly doing: string }
  | {
      readonly kind: 'plan';
      readonly fits: boolean;
      /** The report of --emit html. */
      readonly page: string;
      readonly files: readonly RenderedFile[];
    }
  | {
      readonly kind: 'refused';
      readonly diagnostics: readonly Pick<Diagnostic, 'code' | 'text' | 'hint'>[];
    };
