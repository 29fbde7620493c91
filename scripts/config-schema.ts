/** The JSON Schema of memplan.config.json, from the option table. */
import { exampleEntry, type Form, formOf, type ValueForm } from '../src/cli/config/forms.ts';
import { configRows } from '../src/cli/config/keys.ts';
import type { OptionRow } from '../src/cli/option-types.ts';

type Schema = Readonly<Record<string, unknown>>;

export function configSchema(): Schema {
  const options = Object.fromEntries([...configRows()].map(([key]) => [key, { $ref: `#/$defs/${key}` }]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'config.schema.json',
    title: 'Settings of memplan: memplan.config.json, or "memplan" in package.json',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      models: {
        type: 'array',
        description: 'Each is planned on its own. Options of an entry go before those that all models share.',
        items: {
          anyOf: [
            { type: 'string', description: 'Path of a model.' },
            {
              type: 'object',
              additionalProperties: false,
              properties: {
                file: { type: 'string', description: 'Path of a model.' },
                files: {
                  type: 'array',
                  items: { type: 'string' },
                  minItems: 1,
                  description: 'Models that are planned together.',
                },
                ...options,
              },
              anyOf: [{ required: ['file'] }, { required: ['files'] }],
            },
          ],
        },
      },
      ...options,
    },
    $defs: Object.fromEntries([...configRows()].map(([key, row]) => [key, optionSchema(row)])),
  };
}

function optionSchema(row: OptionRow): Schema {
  const [example] = Object.values(JSON.parse(`{${exampleEntry(row)}}`) as Schema);
  return { description: `${row.flags}: ${row.about}`, ...formSchema(formOf(row), row), examples: [example] };
}

function formSchema(form: Form, { values }: OptionRow): Schema {
  switch (form.kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'value':
      return values === undefined ? valueSchema(form.value) : { type: 'string', enum: values };
    case 'list':
      return listSchema(values === undefined ? { type: 'string' } : { type: 'string', enum: values });
    case 'texts':
      return listSchema({ type: 'string' });
    case 'pairs': {
      const pairs = { type: 'object', additionalProperties: valueSchema(form.value) };
      return form.bare ? { anyOf: [valueSchema(form.value), pairs] } : pairs;
    }
  }
}

function listSchema(items: Schema): Schema {
  return { anyOf: [{ type: 'string' }, { type: 'array', items }] };
}

function valueSchema({ number, list }: ValueForm): Schema {
  const types = number ? ['number', 'string'] : ['string'];
  if (!list) return { type: number ? types : 'string' };
  return { anyOf: [{ type: number ? types : 'string' }, { type: 'array', items: { type: 'number' } }] };
}
