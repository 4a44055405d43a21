/** The error if the service has violated an invariant. */
export class Violation extends Error {}

/** Ends the script with an error. @param what what was observed */
export function violated(what: string): never {
  throw new Violation(what);
}

/** Ends the script with an error unless the condition is true. @param otherwise what was observed instead */
export function hold(condition: unknown, otherwise: string): asserts condition {
  if (!condition) violated(otherwise);
}
