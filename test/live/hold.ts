/** The service broke a promise. */
export class Violation extends Error {}

/** Ends the script. @param what is the case, against the promise */
export function violated(what: string): never {
  throw new Violation(what);
}

/** Ends the script unless the condition holds. @param otherwise what is the case instead */
export function hold(condition: unknown, otherwise: string): asserts condition {
  if (!condition) violated(otherwise);
}
