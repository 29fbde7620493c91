/** Colours by meaning. A report asks for a meaning; the command line decides what a stream can show. */

export type Colour = (text: string) => string;

export interface Paint {
  /** The figure one came for. */
  readonly strong: Colour;
  /** Headings. */
  readonly heading: Colour;
  /** What can be skipped. */
  readonly faint: Colour;
  readonly good: Colour;
  readonly bad: Colour;
  readonly caution: Colour;
  /** Advice: what to type next. */
  readonly advice: Colour;
  /** Tells neighbours apart; at least one. */
  readonly series: readonly Colour[];
}

const same: Colour = (text) => text;

/** No colour at all. */
export const plain: Paint = {
  strong: same,
  heading: same,
  faint: same,
  good: same,
  bad: same,
  caution: same,
  advice: same,
  series: [same],
};
