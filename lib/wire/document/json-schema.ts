import * as z from 'zod/mini';
import { metadata } from '#lib/wire/words/fields.ts';
import { boundsOf } from '#lib/wire/programs/bounds-request.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the named parts of schemas while converting them to JSON Schema. */
export function jsonSchemas(): {
  readonly of: (schema: z.ZodMiniType, direction: 'request' | 'reply') => JsonSchema;
  readonly components: () => Readonly<Record<string, JsonSchema>>;
} {
  const components: Record<string, JsonSchema> = {};
  return {
    of(schema, direction) {
      const {
        $schema: _,
        $defs = {},
        ...converted
      } = z.toJSONSchema(schema, {
        metadata,
        io: direction === 'request' ? 'input' : 'output',
        override: ({ zodSchema, jsonSchema }) => {
          Object.assign(jsonSchema, boundsOf(zodSchema));
          withoutNoise(jsonSchema);
        },
      });
      Object.assign(components, referringToComponents($defs));
      return referringToComponents(converted);
    },
    components: () => Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Removes what would mislead in the document: the bounds of safe integers, and `readOnly`, which comes from TypeScript
 * and has another meaning in HTTP.
 */
function withoutNoise(schema: { maximum?: number; minimum?: number; readOnly?: boolean }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // In OpenAPI `readOnly` would mean that requests must not contain the field.
  delete schema.readOnly;
}

const referringToComponents = (schemas: object): Record<string, JsonSchema> =>
  JSON.parse(JSON.stringify(schemas).replaceAll('"#/$defs/', '"#/components/schemas/'));
