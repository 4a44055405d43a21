/** The service violated an invariant. */
export class Violation extends Error {}

/** Ends the script. @param what was observed */
export function violated(what: string): never {
  throw new Violation(what);
}

/** Ends the script unless the condition holds. @param otherwise what is the case instead */
export function hold(condition: unknown, otherwise: string): asserts condition {
  if (!condition) violated(otherwise);
}
