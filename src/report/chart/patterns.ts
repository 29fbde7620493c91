/** The fills of boxes as SVG patterns: a colour, and lines or dots on it for eyes and printers that see no colour. */
import { type Markup, markup, trusted } from '../markup.ts';
import { LOOKS, type Look, type Pattern } from './families.ts';

const TILE = 8;
const INK = 'stroke="#000" stroke-opacity=".22"';

/** Lines of a tile of 8 by 8, so that tiles meet. */
const DRAWINGS: Readonly<Record<Pattern, string>> = {
  solid: '',
  rising: `<path d="M-2 2L2-2M-1 9L9-1M6 10L10 6" ${INK}/>`,
  falling: `<path d="M-2 6L2 10M-1-1L9 9M6-2L10 2" ${INK}/>`,
  dots: '<path d="M1 1h1.6v1.6H1zM5 5h1.6v1.6H5z" fill-opacity=".26"/>',
  rows: `<path d="M0 2.5h8M0 6.5h8" ${INK}/>`,
  columns: `<path d="M2.5 0v8M6.5 0v8" ${INK}/>`,
  grid: `<path d="M0 4.5h8M4.5 0v8" ${INK}/>`,
  waves: `<path d="M0 5l2-2 4 4 2-2" fill="none" ${INK}/>`,
  rings: `<circle cx="4" cy="4" r="2" fill="none" ${INK}/>`,
  dense: `<path d="M-1 1l2-2M-1 5l6-6M-1 9L9-1M3 9l6-6M7 9l2-2" ${INK}/>`,
};

/** `fill` of a look, an attribute's value. */
export function fillOf(look: Look): string {
  const { fill, pattern } = LOOKS.find((style) => style.look === look)!;
  return pattern === 'solid' ? fill : `url(#look-${look})`;
}

/** The patterns of these looks, for a `<defs>`. */
export function patternsOf(looks: ReadonlySet<Look>): Markup {
  const used = LOOKS.filter(({ look, pattern }) => looks.has(look) && pattern !== 'solid');
  const patterns = used.map(
    ({ look, fill, pattern }) =>
      markup`<pattern id="look-${look}" width="${TILE}" height="${TILE}" patternUnits="userSpaceOnUse"><path d="M0 0h8v8H0z" fill="${fill}"/>${trusted(DRAWINGS[pattern])}</pattern>`,
  );
  return markup`<defs>${patterns}</defs>`;
}

/** A small box in a look: what legends and lists show. */
export function swatch(look: Look, size = 14): Markup {
  return markup`<svg class="swatch" width="${size}" height="${size}" aria-hidden="true"><rect x=".5" y=".5" width="${size - 1}" height="${size - 1}" fill="${fillOf(look)}" stroke="#5b6673"/></svg>`;
}
