import { Invalid } from '#test/support/memory-table/errors.ts';

// Limits from the AWS page "Quotas in Amazon DynamoDB".

export const MOST_ITEM_BYTES = 400 * 1_024;
export const MOST_PAGE_BYTES = 1_024 * 1_024;
export const MOST_TRANSACT_ITEMS = 100;
export const MOST_TRANSACT_BYTES = 4 * 1_024 * 1_024;
export const MOST_BATCH_GET_KEYS = 100;
export const MOST_BATCH_GET_BYTES = 16 * 1_024 * 1_024;
export const MOST_BATCH_WRITES = 25;
export const MOST_PARTITION_KEY_BYTES = 2_048;
export const MOST_SORT_KEY_BYTES = 1_024;
export const MOST_IN_OPERANDS = 100;
const MOST_EXPRESSION_BYTES = 4_096;

/** Checks the length of an expression. @throws Invalid if it exceeds the limit */
export function expectShort(expression: string): void {
  const bytes = Buffer.byteLength(expression);
  if (bytes <= MOST_EXPRESSION_BYTES) return;
  throw new Invalid(
    `Invalid expression: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
  );
}
