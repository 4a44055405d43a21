import type { BatchWriteItemInput } from '@aws-sdk/client-dynamodb';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { expectFields } from '#test/support/memory-table/expressions/fields.ts';
import { MOST_BATCH_WRITES } from '#test/support/memory-table/units/limits.ts';
import type { Rows } from '#test/support/memory-table/rows.ts';
import { plannedDelete, plannedPut, write } from '#test/support/memory-table/writes.ts';

/** Executes writes without conditions. Each is independent of the others. */
export function batchWrite(rowsOf: (table: string) => Rows, input: BatchWriteItemInput) {
  expectFields('BatchWriteItem', input, ['RequestItems', 'ReturnConsumedCapacity']);
  const requests = Object.entries(input.RequestItems ?? {}).flatMap(([table, writes]) => {
    const rows = rowsOf(table);
    return writes.map(({ PutRequest, DeleteRequest }) => ({
      rows,
      planned: PutRequest
        ? plannedPut(rows, { Item: PutRequest.Item })
        : plannedDelete(rows, { TableName: table, Key: DeleteRequest!.Key }),
    }));
  });
  if (requests.length === 0 || requests.length > MOST_BATCH_WRITES) {
    throw new Invalid('Member must have length less than or equal to 25, and greater than or equal to 1');
  }
  if (new Set(requests.map(({ planned: { key } }) => JSON.stringify(key))).size < requests.length) {
    throw new Invalid('Provided list of item keys contains duplicates');
  }
  const units = requests.map(({ rows, planned }) => write(rows, planned, undefined).ConsumedCapacity.CapacityUnits);
  return {
    UnprocessedItems: {},
    ConsumedCapacity: [{ CapacityUnits: units.reduce((sum, one) => sum + one, 0) }],
  };
}
