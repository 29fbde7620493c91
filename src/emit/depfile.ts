/** The dependency file that make and ninja read (--depfile): what the generated files were made from. */

/**
 * One rule: the outputs depend on the prerequisites. Each prerequisite also gets an empty rule of its own, so that a
 * deleted one makes the outputs stale instead of stopping the build. Paths are printed as they are given.
 */
export function depfileText(outputs: readonly string[], prerequisites: readonly string[]): string {
  const needs = [...new Set(prerequisites)].map(escaped);
  const rule = `${outputs.map(escaped).join(' ')}:${needs.map((path) => ` \\\n  ${path}`).join('')}\n`;
  return rule + needs.map((path) => `\n${path}:\n`).join('');
}

/** Source: what GNU make and ninja's depfile parser both understand. */
function escaped(path: string): string {
  return path.replace(/[ #]/g, '\\$&').replace(/\$/g, '$$$$');
}
