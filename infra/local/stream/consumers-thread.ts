import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The data of the thread. */
export interface ConsumersThread {
  readonly functionsFolder: string | undefined;
  /** Whether the table is in the embedded engine. */
  readonly isEmbedded: boolean;
  /** One number in memory that threads share: the offset of the service's clock, in milliseconds. */
  readonly offset: Float64Array;
}

/**
 * Starts the stream's consumers in a separate thread, so that requests do not wait while a batch is processed.
 * @returns a function that stops them after the current batches
 * @throws Error with a message for the terminal
 */
export async function startConsumersThread(options: ConsumersThread): Promise<() => Promise<void>> {
  const worker = new Worker(new URL('./consumers-worker.ts', import.meta.url), { workerData: options });
  await once(worker, 'message');
  // A fault in the thread ends the process, like a fault in any other part of the process.
  worker.on('error', (error) => {
    throw error;
  });
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage('stop');
    await once(worker, 'exit');
  };
}
