import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

type Position = ScanCommandOutput['LastEvaluatedKey'];

/**
 * The number of items that one call examines. Without this limit the engine would read the whole table for one page,
 * which takes seconds with a million items.
 */
const MOST_ITEMS = 1_000;

const { partitionKey, sortKey, timeToLiveAttribute } = tableDefinition;

/**
 * Deletes expired items, because the embedded engine does not. Each call examines one page of the table, so its work is
 * limited, however large the table is.
 * @param from where the previous call ended
 * @returns where the next call continues; undefined at the end of the table
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
    // The condition matters if a request writes the item again after this scan read it: the item is then kept.
    const removal = { TableName: tableName, Key, ConditionExpression: '#expiresAt <= :now', ...isExpired };
    await client.send(new DeleteCommand(removal)).catch(unlessConditionFailed);
  }
  return LastEvaluatedKey;
}

function unlessConditionFailed(error: Error): void {
  if (error.name !== 'ConditionalCheckFailedException') throw error;
}
