import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createTable } from '#infra/local/database/create-table.ts';

/** Talks to the engine of this test run. */
export const testClient: DynamoDBDocumentClient = documentClient({
  dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
  region: 'us-east-1',
});

/** A fresh table of the test's own. @returns its name */
export async function createTestTable(client = testClient): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await createTable(client, tableName);
  return tableName;
}
