import { Unknown } from '#test/support/memory-table/errors.ts';

/** Checks that a request has no unknown fields. @throws Unknown for a field that would otherwise be ignored */
export function expectFields(operation: string, input: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !known.includes(name)) throw new Unknown(`the field ${name} of ${operation}`);
  }
}
