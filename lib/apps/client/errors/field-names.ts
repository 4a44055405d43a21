import { type FieldNames, fieldNames, intendedName, misspeltField } from '#lib/service/ground/values/close-names.ts';
import type { Json } from '#lib/apps/client/errors/error-of-reply.ts';
import { ValidationError } from '#lib/apps/client/errors/referral-error.ts';

/** Maps the client's names of a call's fields to their wire names. */
export type WireNames = Readonly<Record<string, string>>;

/** The request body of a call. */
export const bodyOf = (names: WireNames, given: object): Json =>
  Object.fromEntries(Object.entries(names).map(([name, wireName]) => [wireName, (given as Json)[name]]));

/** Names with which the fields of a call are compared. */
export interface ComparedNames {
  readonly method: string;
  readonly fields: FieldNames;
  /** Fields within `additionalData`. */
  readonly additional?: FieldNames;
}

/**
 * The names with which the fields of a call are compared.
 * @param others names of fields in other services, each with the client's name
 * @param elsewhere fields of other calls
 */
export const comparedNames = (
  method: string,
  names: WireNames,
  others: Readonly<Record<string, string>>,
  elsewhere: readonly WireNames[],
): ComparedNames => ({
  method,
  fields: fieldNames(
    Object.keys(names),
    { ...Object.fromEntries(Object.entries(names).map(([name, wireName]) => [wireName, name])), ...others },
    elsewhere.flatMap(Object.keys),
  ),
});

/**
 * Fields that the call does not have and that resemble none of its fields; they are not sent.
 * @throws ValidationError for a field that resembles one of the call
 */
export function unknownFields(given: object, { fields, additional }: ComparedNames): string[] {
  const sent = given as Json;
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined || value === null) continue;
    const meant = intendedName(name, sent, fields);
    if (meant !== undefined) throw misspelt(name, meant);
    const within = name === 'additionalData' && additional && misspeltField(value as Json, additional);
    if (within) throw misspelt(`${name}.${within.name}`, `${name}.${within.meant}`);
    if (!fields.known.has(name) && !fields.elsewhere.has(name)) unknown.push(name);
  }
  return unknown;
}

const misspelt = (name: string, meant: string) =>
  new ValidationError(`Unknown field ${name}. Did you mean ${meant}?`, {
    code: 'invalid_request',
    reason: 'unknown_field',
  });
