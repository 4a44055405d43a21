import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createTable } from '#infra/local/database/create-table.ts';

/** The client of the database engine that this test run uses. */
export const testClient: DynamoDBDocumentClient = documentClient({
  dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
  region: 'us-east-1',
});

/** Creates a new table for a test file. @returns its name */
export async function createTestTable(client = testClient): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await createTable(client, tableName);
  return tableName;
}
