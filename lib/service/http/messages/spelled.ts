/** Converts a field name to snake_case; currency codes stay unchanged. */
export const fieldName = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts a stored value to the spelling of the API. */
export function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  return typeof value === 'object' && value !== null ? spelledFields(value) : value;
}

/** Converts the fields of a stored object to the spelling of the API. */
export const spelledFields = (stored: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([name, inner]) => [fieldName(name), spelled(inner)]));
