/** Converts a field name to snake_case, except currency codes, which stay unchanged. */
export const fieldName = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts a stored value to the form in which replies show it. */
export function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  return typeof value === 'object' && value !== null ? spelledFields(value) : value;
}

/** Converts the fields of a stored object to the form in which replies show them. */
export const spelledFields = (stored: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([name, inner]) => [fieldName(name), spelled(inner)]));
