import { Unknown } from '#test/support/memory-table/errors.ts';
import { batchWrite } from '#test/support/memory-table/batch-write.ts';
import { batchGet, getItem, query, scan } from '#test/support/memory-table/reads.ts';
import { describeStream, getRecords, getShardIterator } from '#test/support/memory-table/stream.ts';
import { createTable, describeTable, describeTimeToLive, rowsOf } from '#test/support/memory-table/tables.ts';
import { transactWrite } from '#test/support/memory-table/transact.ts';
import { plannedDelete, plannedPut, plannedUpdate, write } from '#test/support/memory-table/writes.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- as the SDK types them, in each operation's own function
type Input = any;

const operations: Readonly<Record<string, (input: Input) => object>> = {
  GetItem: (input) => getItem(rowsOf(input.TableName), input),
  BatchGetItem: (input) => batchGet(rowsOf, input),
  Query: (input) => query(rowsOf(input.TableName), input),
  Scan: (input) => scan(rowsOf(input.TableName), input),
  PutItem: (input) => write(rowsOf(input.TableName), plannedPut(rowsOf(input.TableName), input), input.ReturnValues),
  UpdateItem: (input) =>
    write(rowsOf(input.TableName), plannedUpdate(rowsOf(input.TableName), input), input.ReturnValues),
  DeleteItem: (input) =>
    write(rowsOf(input.TableName), plannedDelete(rowsOf(input.TableName), input), input.ReturnValues),
  BatchWriteItem: (input) => batchWrite(rowsOf, input),
  TransactWriteItems: (input) => transactWrite(rowsOf, input),
  CreateTable: createTable,
  DescribeTable: (input) => describeTable(input.TableName),
  UpdateTimeToLive: (input) => describeTimeToLive(input.TableName),
  DescribeTimeToLive: (input) => describeTimeToLive(input.TableName),
  DescribeStream: describeStream,
  GetShardIterator: getShardIterator,
  GetRecords: getRecords,
};

/**
 * Executes a call at once.
 * @param input with table values instead of JavaScript values
 * @returns the output. It shares values with the table, so it must be copied before a caller gets it
 * @throws DynamoDB errors, Unknown
 */
export function answer(operation: string, input: Input): Record<string, unknown> {
  const carryOut = operations[operation];
  if (!carryOut) throw new Unknown(`the operation ${operation}`);
  const { ConsumedCapacity, ...output } = carryOut(input) as { readonly ConsumedCapacity?: unknown };
  const isCounted = input.ReturnConsumedCapacity !== undefined && input.ReturnConsumedCapacity !== 'NONE';
  return isCounted ? { ...output, ConsumedCapacity } : output;
}
