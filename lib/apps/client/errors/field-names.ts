import { type FieldNames, fieldNames, intendedName, misspeltField } from '#lib/service/ground/values/close-names.ts';
import type { Json } from '#lib/apps/client/errors/error-of-reply.ts';
import { ValidationError } from '#lib/apps/client/errors/referral-error.ts';

/** For one call, the wire name of each field of the client. */
export type WireNames = Readonly<Record<string, string>>;

/** Builds the request body of a call: the given values under their wire names. */
export const bodyOf = (names: WireNames, given: object): Json =>
  Object.fromEntries(Object.entries(names).map(([name, wireName]) => [wireName, (given as Json)[name]]));

/** The names with which an unknown field of a call is compared, to detect misspellings. */
export interface ComparedNames {
  readonly method: string;
  readonly fields: FieldNames;
  /** The known names of fields inside `additionalData`. */
  readonly additional?: FieldNames;
}

/**
 * Collects the names with which the unknown fields of a call are compared.
 * @param others names that other services use for the same fields, each with the client's name
 * @param elsewhere fields of other calls; sending them with this call is not an error
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
 * The fields that the call does not know and that resemble none of its fields. They are not sent.
 * @throws ValidationError for an unknown field that resembles a field of the call, and for a sale or refund that asks
 * for test mode: without that field, it would be a real one
 */
export function unknownFields(given: object, { method, fields, additional }: ComparedNames): string[] {
  const sent = given as Json;
  const unknown: string[] = [];
  const inTestMode = (sent.additionalData as Json | undefined)?.test_mode === true;
  if (!additional && (inTestMode || sent.test_mode === true || sent.testMode === true)) {
    throw refused(`${method} cannot send test_mode: it would be real. Use \`affitor test sale\`.`);
  }
  if (inTestMode) unknown.push('additionalData.test_mode');
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

const misspelt = (name: string, meant: string) => refused(`Unknown field ${name}. Did you mean ${meant}?`);

const refused = (message: string) => new ValidationError(message, { code: 'invalid_request', reason: 'unknown_field' });
