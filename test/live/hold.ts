/** The service violated an invariant. */
export class Violation extends Error {}

/** Ends the script. @param what the observation */
export function violated(what: string): never {
  throw new Violation(what);
}

/** Ends the script unless the condition holds. @param otherwise the actual state */
export function hold(condition: unknown, otherwise: string): asserts condition {
  if (!condition) violated(otherwise);
}
