import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

type Position = ScanCommandOutput['LastEvaluatedKey'];

/** The engine reads the whole table for a page that is limited by its size alone: seconds, with a million items. */
const MOST_ITEMS = 1_000;

const { partitionKey, sortKey, timeToLiveAttribute } = tableDefinition;

/**
 * Deletes expired items, which the embedded engine never does. One call looks at one page of the table, so that its
 * work is bounded however large the table is.
 * @param from where the call before ended
 * @returns where the next call goes on; undefined at the end of the table
 */
export async function deleteExpiredItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  now: Date,
  from?: Position,
): Promise<Position> {
  const isExpired = {
    ExpressionAttributeNames: { '#expiresAt': timeToLiveAttribute },
    ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
  };
  const { Items = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({
      TableName: tableName,
      ExclusiveStartKey: from,
      Limit: MOST_ITEMS,
      ProjectionExpression: `${partitionKey}, ${sortKey}`,
      FilterExpression: '#expiresAt <= :now',
      ...isExpired,
    }),
  );
  for (const Key of Items) {
    // An item that was written again since the scan no longer meets the condition, and stays.
    const removal = { TableName: tableName, Key, ConditionExpression: '#expiresAt <= :now', ...isExpired };
    await client.send(new DeleteCommand(removal)).catch(unlessConditionFailed);
  }
  return LastEvaluatedKey;
}

function unlessConditionFailed(error: Error): void {
  if (error.name !== 'ConditionalCheckFailedException') throw error;
}
