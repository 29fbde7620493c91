/** Before any test: writes the example models that are too large to be kept, where they are missing. */
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXAMPLES } from '../../examples/models/catalogue.ts';

export function setup(): void {
  for (const { name, build } of EXAMPLES) {
    const path = fileURLToPath(new URL(`../../examples/${name}/${name}.onnx`, import.meta.url));
    if (!existsSync(path)) writeFileSync(path, build({ weights: 'seeded' }).encode());
  }
}
