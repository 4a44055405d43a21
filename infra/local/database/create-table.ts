import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

/** Creates the table if it does not exist yet. @returns whether the table was created */
export async function createTableIfMissing(client: DynamoDBDocumentClient, tableName: string): Promise<boolean> {
  if (await hasTable(client, tableName)) return false;
  await createTable(client, tableName);
  return true;
}

/** Creates the table with the same definition as in the CDK stack, and waits until it is ready. */
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

/** ARN of the table's change stream. */
export async function streamArnOf(client: DynamoDBDocumentClient, tableName: string): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (!Table?.LatestStreamArn) throw new Error(`Table ${tableName} has no stream: the counters would stand still`);
  return Table.LatestStreamArn;
}

async function hasTable(client: DynamoDBDocumentClient, tableName: string): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName: tableName }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return false;
    throw error;
  }
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

function indexShape(index: (typeof indexes)[number]) {
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
