/** Returns an object with the same names, whose values are converted. */
export const mapped = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
