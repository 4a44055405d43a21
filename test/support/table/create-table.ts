import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createTable } from '#infra/local/database/create-table.ts';

/** Calls this test run's engine. */
export const testClient: DynamoDBDocumentClient = documentClient({
  dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
  region: 'us-east-1',
});

/** A new table for the test. @returns its name */
export async function createTestTable(client = testClient): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await createTable(client, tableName);
  return tableName;
}
