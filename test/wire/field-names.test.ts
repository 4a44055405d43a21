import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { operations } from '#lib/wire/document/operations.ts';
import {
  additionalFields,
  clickFields,
  leadFields,
  refundFields,
  saleFields,
} from '#lib/wire/words/field-names-request.ts';

// A field that is in the document but not in these lists would be refused if its name is close to another one.

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
}

const documented = (route: string) => {
  const { properties = {} } = z.toJSONSchema(operations[`track/${route}`]!.body!, { io: 'input' }) as JsonSchema;
  const { anyOf: [data] = [] } = properties.additional_data ?? {};
  return { fields: new Set(Object.keys(properties)), additional: new Set(Object.keys(data?.properties ?? {})) };
};

it.each<readonly [string, readonly string[], readonly string[]]>([
  ['click', clickFields, additionalFields.sale],
  ['lead', leadFields, additionalFields.lead],
  ['sale', saleFields, additionalFields.sale],
  ['refund', refundFields, []],
])('the list of known fields of a %s equals the OpenAPI document', (route, fields, additional) => {
  expect(documented(route)).toEqual({ fields: new Set(fields), additional: new Set(additional) });
});
