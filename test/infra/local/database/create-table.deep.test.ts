import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTableIfMissing } from '#infra/local/database/create-table.ts';
import { createTestTable, testClient } from '#test/support/table/create-table.ts';

const indexNamed = (name: string) => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: `${name}pk`, KeyType: 'HASH' },
    { AttributeName: `${name}sk`, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
});

it('createTable creates the table locally as the stack defines it', async () => {
  const TableName = await createTestTable();
  const { Table } = await testClient.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({
    TableStatus: 'ACTIVE',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  expect(Table?.GlobalSecondaryIndexes).toMatchObject(['gsi1', 'gsi2'].map(indexNamed));
  const { TimeToLiveDescription } = await testClient.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription?.AttributeName).toBe('expires_at');
});

it('createTable does not change a table that exists', async () => {
  const tableName = `test-${randomUUID()}`;
  expect(await createTableIfMissing(testClient, tableName)).toBe(true);
  expect(await createTableIfMissing(testClient, tableName)).toBe(false);
});
