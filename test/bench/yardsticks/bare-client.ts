import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { env } from 'node:process';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: env.DYNAMODB_ENDPOINT }));

/** The smallest function with the AWS SDK: it makes one read. */
export const handler = () =>
  client.send(new GetCommand({ TableName: env.TABLE_NAME, Key: { pk: 'none', sk: 'none' } }));
