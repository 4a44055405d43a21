import type { JsonSchema } from '#lib/wire/document/json-schema.ts';
import type { Json } from '#lib/wire/document/written-operation.ts';

/**
 * Shortens schemas. It leaves out what the document's introduction says once for all: that replies may get new fields,
 * and the types of constants.
 */
export function withoutRepetition<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutRepetition(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const { additionalProperties, type, ...rest } = value as Json;
  const isOpen = additionalProperties === undefined || additionalProperties === false;
  const showsType = typeof type === 'string' && ('const' in rest || Array.isArray(rest['enum']));
  const kept = {
    ...(type !== undefined && !showsType && { type }),
    ...rest,
    ...(!isOpen && { additionalProperties }),
  };
  const short = Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, withoutRepetition(each)]));
  return withNullableType(short) as Value;
}

/** Writes `anyOf: [{ type: 'string', … }, { type: 'null' }]` as `type: ['string', 'null'], …`. */
function withNullableType({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return { ...rest };
  const [schema, other] = anyOf as readonly Json[];
  const isNullable = anyOf.length === 2 && other?.['type'] === 'null' && typeof schema?.['type'] === 'string';
  if (!isNullable) return { anyOf, ...rest };
  return { ...schema, type: [schema['type'], 'null'], ...rest };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** If two schemas have fewer common fields than this, a reference would not be shorter than the fields themselves. */
const FEWEST_INHERITED = 5;

/** Lets a schema that has all fields of another one refer to it and list only the added fields. */
export const withInheritance = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      Array.isArray(schema['oneOf'])
        ? { ...schema, oneOf: schema['oneOf'].map((each: JsonSchema) => inheriting(each, schemas)) }
        : inheriting(schema, schemas),
    ]),
  );

function inheriting(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (!isObject(schema)) return schema;
  const parents = Object.entries(schemas).filter(([, other]) => isObject(other) && extendsOther(schema, other));
  const [name] = parents.toSorted(([, a], [, b]) => fieldsOf(b).length - fieldsOf(a).length)[0] ?? [];
  if (name === undefined) return schema;
  const inherited = new Set(fieldsOf(schemas[name]!));
  const { properties, required = [], ...rest } = schema;
  const own = {
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => !inherited.has(field))),
    required: required.filter((field) => !inherited.has(field)),
  };
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }, own] };
}

const isObject = (schema: JsonSchema): schema is JsonSchema & ObjectSchema =>
  schema['type'] === 'object' && 'properties' in schema;

const fieldsOf = (schema: JsonSchema): string[] => Object.keys(schema['properties'] ?? {});

function extendsOther(schema: ObjectSchema, other: ObjectSchema): boolean {
  const fields = Object.entries(other.properties);
  return (
    fields.length >= FEWEST_INHERITED &&
    Object.keys(schema.properties).length > fields.length &&
    fields.every(([field, each]) => JSON.stringify(each) === JSON.stringify(schema.properties[field])) &&
    // Each field must be required in both schemas or in neither.
    fields.every(([field]) => isRequired(field, other) === isRequired(field, schema))
  );
}

const isRequired = (field: string, { required = [] }: ObjectSchema): boolean => required.includes(field);
