import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the thread is started with. */
export interface ConsumersThread {
  readonly functionsFolder: string | undefined;
  /** Whether the table is in the embedded engine. */
  readonly isEmbedded: boolean;
  /** A number in memory that both threads share: the offset of the service's clock from real time, in milliseconds. */
  readonly offset: Float64Array;
}

/**
 * Starts the consumers of the table's stream in a separate thread, so that requests do not wait while a batch is
 * processed.
 * @returns a function that stops them after the current batches
 * @throws Error with a message for the terminal
 */
export async function startConsumersThread(options: ConsumersThread): Promise<() => Promise<void>> {
  const worker = new Worker(new URL('./consumers-worker.ts', import.meta.url), { workerData: options });
  await once(worker, 'message');
  // An unexpected error in the thread ends this process, as it would in any other part of the process.
  worker.on('error', (error) => {
    throw error;
  });
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage('stop');
    await once(worker, 'exit');
  };
}
