import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

type Index = (typeof indexes)[number];

/** Creates the table when it is missing, and indexes that a table of an earlier version lacks. @returns whether it was missing */
export async function createTableIfMissing(client: DynamoDBDocumentClient, tableName: string): Promise<boolean> {
  const table = await describedTable(client, tableName);
  if (!table) {
    await createTable(client, tableName);
    return true;
  }
  const existing = new Set(table.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of indexes) if (!existing.has(index.name)) await addIndex(client, tableName, index);
  return false;
}

/** Creates the table as the stack defines it, ready for use. */
export async function createTable(client: DynamoDBDocumentClient, tableName: string): Promise<void> {
  const { TableDescription } = await client.send(new CreateTableCommand({ TableName: tableName, ...shape }));
  if (TableDescription?.TableStatus !== 'ACTIVE') {
    await waitUntilTableExists({ client, minDelay: 1, maxDelay: 2, maxWaitTime: 60 }, { TableName: tableName });
  }
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: tableDefinition.timeToLiveAttribute, Enabled: true },
    }),
  );
}

/** Name of the stream of the table's changes. */
export async function streamArnOf(client: DynamoDBDocumentClient, tableName: string): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (!Table?.LatestStreamArn) throw new Error(`Table ${tableName} has no stream: the counters would stand still`);
  return Table.LatestStreamArn;
}

async function describedTable(
  client: DynamoDBDocumentClient,
  tableName: string,
): Promise<TableDescription | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    return Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Items that have the keys of the index already are in it at once. */
async function addIndex(client: DynamoDBDocumentClient, tableName: string, index: Index): Promise<void> {
  await client.send(
    new UpdateTableCommand({
      TableName: tableName,
      AttributeDefinitions: [index.partitionKey, index.sortKey].map(attribute),
      GlobalSecondaryIndexUpdates: [{ Create: indexShape(index) }],
    }),
  );
}

const { partitionKey, sortKey, indexes, streamView } = tableDefinition;

const shape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])].map(
    attribute,
  ),
  KeySchema: keySchema(partitionKey, sortKey),
  GlobalSecondaryIndexes: indexes.map(indexShape),
  StreamSpecification: { StreamEnabled: true, StreamViewType: streamView },
} satisfies Omit<CreateTableCommandInput, 'TableName'>;

function attribute(AttributeName: string) {
  return { AttributeName, AttributeType: 'S' as const };
}

function indexShape(index: Index) {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKey, index.sortKey),
    Projection: { ProjectionType: index.projection },
  };
}

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
}
