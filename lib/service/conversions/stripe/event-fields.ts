import { isPlainText } from '#lib/service/ground/values/identifier.ts';

/** A JSON object of Stripe. Its shape depends on the API version of the brand's endpoint, so every field is checked. */
export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** The id of a field that contains an id or the expanded object. Undefined if it contains neither. */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : fields(value).id;
  return typeof id === 'string' && id !== '' && isPlainText(id) ? id : undefined;
}

export const idsOf = (...values: readonly unknown[]): string[] => [
  ...new Set(values.flatMap((value) => idOf(value) ?? [])),
];

/** The first second of the year 10000. From that year on, ISO 8601 writes years with more than four digits. */
const END_OF_TIME_SECONDS = 253_402_300_800;

export function secondsOf(value: unknown): Date | undefined {
  const isTime = Number.isInteger(value) && (value as number) >= 0 && (value as number) < END_OF_TIME_SECONDS;
  return isTime ? new Date((value as number) * 1000) : undefined;
}
