import { Unknown } from '#test/support/memory-table/errors.ts';

/** @throws Unknown for a field of a request that would otherwise be ignored */
export function expectFields(operation: string, input: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !known.includes(name)) throw new Unknown(`the field ${name} of ${operation}`);
  }
}
