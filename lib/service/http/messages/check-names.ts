import { intendedName, misspeltField } from '#lib/service/ground/values/close-names.ts';
import { unknownField } from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { additionalDataOf } from '#lib/service/http/programs/test-mode-request.ts';
import type { CheckedNames } from '#lib/wire/words/field-names-request.ts';

/**
 * Checks that no field name is misspelt.
 * @throws Refusal for the first field, in the order sent, whose name is unknown but close to a known one
 */
export function checkNames(json: Json, { fields, additional }: CheckedNames): void {
  for (const name of Object.keys(json)) {
    const meant = intendedName(name, json, fields);
    if (meant !== undefined) throw unknownField(name, meant);
    const within = name === 'additional_data' && additional && misspeltField(additionalDataOf(json), additional);
    if (within) throw unknownField(`${name}.${within.name}`, `${name}.${within.meant}`);
  }
}
