import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#lib/local/clock.ts';
import { deleteExpiredItems } from '#lib/local/expired-items.ts';

const MINUTE_MS = 60_000;

/** Deletes expired items by the service's clock, a page of the table every minute. @returns what ends it */
export function sweepEveryMinute(client: DynamoDBDocumentClient, tableName: string, clock: Clock): () => void {
  let position: Awaited<ReturnType<typeof deleteExpiredItems>>;

  async function sweep(): Promise<void> {
    position = await deleteExpiredItems(client, tableName, new Date(clock.now()), position);
  }
  const timer = setInterval(
    () => void sweep().catch((error) => console.error('Expired items stay:', error)),
    MINUTE_MS,
  );
  return () => clearInterval(timer);
}
