import { once } from 'node:events';
import { exit } from 'node:process';
import { isMainThread, parentPort } from 'node:worker_threads';

// A service is started with this module (`--import`) to measure it without the stream's consumers. Their thread reports
// that it has started, and then does nothing until the service stops it.

if (!isMainThread) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort!.postMessage('started');
  await once(parentPort!, 'message');
  exit();
}
