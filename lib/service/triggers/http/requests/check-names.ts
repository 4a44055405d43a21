import { meantName, misspeltField } from '#lib/domain/close-names.ts';
import { unknownField } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { additionalDataOf } from '#lib/service/triggers/http/requests/test-mode.ts';
import type { CheckedNames } from '#lib/wire/requests/field-names.ts';

/** @throws Refusal for the first field, in the order sent, whose name is close to one that the call knows */
export function checkNames(json: Json, { fields, additional }: CheckedNames): void {
  for (const name of Object.keys(json)) {
    const meant = meantName(name, json, fields);
    if (meant !== undefined) throw unknownField(name, meant);
    const within = name === 'additional_data' && additional && misspeltField(additionalDataOf(json), additional);
    if (within) throw unknownField(`${name}.${within.name}`, `${name}.${within.meant}`);
  }
}
