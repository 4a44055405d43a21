import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#infra/local/run/clock.ts';
import { deleteExpiredItems } from '#infra/local/database/expired-items.ts';

/** Pause between steps. A step may delete a thousand items, and requests wait for the engine meanwhile. */
const BETWEEN_STEPS_MS = 20_000;

/**
 * Deletes items that are expired by the service's clock. Each step examines one page of the table.
 * @returns a function that stops the deletion
 */
export function sweepInSteps(
  client: DynamoDBDocumentClient,
  tableName: string,
  clock: Pick<Clock, 'now'>,
  betweenStepsMs = BETWEEN_STEPS_MS,
): () => void {
  let position: Awaited<ReturnType<typeof deleteExpiredItems>>;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;

  async function step(): Promise<void> {
    try {
      position = await deleteExpiredItems(client, tableName, new Date(clock.now()), position);
    } catch (error) {
      if (!hasEnded) console.error('Expired items stay:', error);
    }
    wait();
  }
  /** Schedules the next step, after a pause that begins at the end of the previous step. */
  function wait(): void {
    if (!hasEnded) timer = setTimeout(() => void step(), betweenStepsMs);
  }
  wait();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}
