import type { CreateTableInput, TableDescription } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { noSuchTable, tableExists, Unknown } from '#test/support/memory-table/errors.ts';
import { Rows } from '#test/support/memory-table/rows.ts';

// The tables of this process, all with the shape of tableDefinition.

const tables = new Map<string, { readonly rows: Rows; readonly description: TableDescription }>();

/** @throws ResourceNotFoundException */
function tableNamed(name: string | undefined) {
  const table = tables.get(name ?? '');
  if (!table) throw noSuchTable();
  return table;
}

export const rowsOf = (name: string | undefined): Rows => tableNamed(name).rows;

/** @throws ResourceNotFoundException */
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

/** Describes TTL. Expired items are kept until a caller deletes them. */
export const describeTimeToLive = (name: string | undefined) => {
  tableNamed(name);
  return {
    TimeToLiveDescription: { AttributeName: tableDefinition.timeToLiveAttribute, TimeToLiveStatus: 'ENABLED' as const },
  };
};

/** Drops all tables, so that a process that runs many test files keeps only those of one. */
export function dropTables(): void {
  tables.clear();
}
