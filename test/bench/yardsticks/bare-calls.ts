import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { env } from 'node:process';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: env.DYNAMODB_ENDPOINT }));

const counted = (sk: string) =>
  client.send(
    new UpdateCommand({
      TableName: env.TABLE_NAME,
      Key: { pk: 'none', sk },
      UpdateExpression: 'ADD #count :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );

/**
 * Makes as many table calls as the first request of a tracking function, with only the SDK: a batch of reads, two
 * parallel writes, and another write.
 */
export async function handler() {
  const keys = ['key', 'link'].map((sk) => ({ pk: 'none', sk }));
  await client.send(new BatchGetCommand({ RequestItems: { [env.TABLE_NAME!]: { Keys: keys } } }));
  await Promise.all(['address', 'visit'].map(counted));
  return counted('address');
}
