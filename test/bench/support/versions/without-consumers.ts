import { once } from 'node:events';
import { exit } from 'node:process';
import { isMainThread, parentPort } from 'node:worker_threads';

// Loaded into a service (`--import`): its thread for the stream's consumers says that it has started, and does nothing
// until the service stops it.

if (!isMainThread) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort!.postMessage('started');
  await once(parentPort!, 'message');
  exit();
}
