import { type DynamoDBDocumentClient, TransactWriteCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { setTimeout as pause } from 'node:timers/promises';

/** Maximum updates in one transaction. With more, an update takes less time, but the next request waits longer. */
const MOST = 4;

interface Waiting {
  readonly update: UpdateCommandInput;
  readonly settle: (together: Promise<boolean>) => void;
}

/**
 * Makes a client send updates that begin in the same tick, and whose reply no one reads, in transactions of a few.
 * The embedded engine needs for four such updates 0.6 of the processor time of single calls, and the client 0.3. If the
 * engine refuses a transaction, its updates are sent singly, so that each one succeeds or fails by itself. DynamoDB
 * charges twice as much for updates in transactions, so deployed consumers do not do this.
 */
export function joinUpdates(client: DynamoDBDocumentClient): void {
  let waiting: Waiting[] = [];

  async function sendWaiting(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += MOST) {
      const some = all.slice(at, at + MOST);
      const startedAt = performance.now();
      const together = sendTogether(client, some);
      for (const { settle } of some) settle(together);
      await together.catch(() => undefined);
      // The engine executes one write at a time, so half of the time is left to requests.
      await pause(performance.now() - startedAt);
    }
  }

  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const update = args.input as UpdateCommandInput;
        if (commandName !== 'UpdateItemCommand' || update.ReturnValues !== 'NONE') return next(args);
        // The updates are sent after all promise jobs of this tick, which may start further ones.
        if (waiting.length === 0) queueMicrotask(() => process.nextTick(() => void sendWaiting()));
        const isSent = await new Promise<boolean>((settle) => waiting.push({ update, settle }));
        return isSent ? { output: { $metadata: {} }, response: undefined } : next(args);
      },
    { step: 'initialize' },
  );
}

/** @returns false if nothing was written, because there is only one update or the engine refused the transaction */
async function sendTogether(client: DynamoDBDocumentClient, some: readonly Waiting[]): Promise<boolean> {
  if (some.length === 1) return false;
  const TransactItems = some.map(({ update }) => {
    const { ReturnValues: _, UpdateExpression = '', ...others } = update;
    return { Update: { ...others, UpdateExpression } };
  });
  try {
    await client.send(new TransactWriteCommand({ TransactItems }));
    return true;
  } catch (error) {
    if ((error as { readonly $fault?: string }).$fault === 'client') return false;
    throw error;
  }
}
