import type { CreateTableInput, TableDescription } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { noSuchTable, tableExists, Unknown } from '#test/support/memory-table/errors.ts';
import { Rows } from '#test/support/memory-table/rows.ts';

// The tables in this process. All have the keys and indexes of tableDefinition.

const tables = new Map<string, { readonly rows: Rows; readonly description: TableDescription }>();

/** Finds a table by name. @throws ResourceNotFoundException */
function tableNamed(name: string | undefined) {
  const table = tables.get(name ?? '');
  if (!table) throw noSuchTable();
  return table;
}

export const rowsOf = (name: string | undefined): Rows => tableNamed(name).rows;

/** Finds the change log of a table by the ARN of its stream. @throws ResourceNotFoundException */
export function logOf(streamArn: string | undefined) {
  const found = [...tables.values()].find(({ rows: { log } }) => log.arn === streamArn);
  if (!found) throw noSuchTable();
  return found.rows.log;
}

export function createTable(input: CreateTableInput) {
  const { TableName = '', KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [], StreamSpecification } = input;
  if (tables.has(TableName)) throw tableExists(TableName);
  const names = GlobalSecondaryIndexes.map(({ IndexName }) => String(IndexName)).toSorted();
  if (String(names) !== String(tableDefinition.indexes.map(({ name }) => name))) {
    throw new Unknown(`a table with the indexes ${String(names)}`);
  }
  const rows = new Rows(TableName);
  const description: TableDescription = {
    TableName,
    TableStatus: 'ACTIVE',
    KeySchema,
    AttributeDefinitions,
    GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus: 'ACTIVE' })),
    StreamSpecification,
    LatestStreamArn: rows.log.arn,
  };
  tables.set(TableName, { rows, description });
  return { TableDescription: structuredClone(description) };
}

export const describeTable = (name: string | undefined) => ({ Table: structuredClone(tableNamed(name).description) });

/** Replies that TTL is on. Expired items nevertheless stay until a caller deletes them. */
export const describeTimeToLive = (name: string | undefined) => {
  tableNamed(name);
  return {
    TimeToLiveDescription: { AttributeName: tableDefinition.timeToLiveAttribute, TimeToLiveStatus: 'ENABLED' as const },
  };
};

/** Drops all tables. A process runs many test files, and would otherwise keep the tables of all of them. */
export function dropTables(): void {
  tables.clear();
}
