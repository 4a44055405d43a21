import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { env } from 'node:process';
import { threadId } from 'node:worker_threads';

// Loaded into a service of any version (`--import`): each of its threads writes the number of its table calls to a file.

const WRITE_MS = 100;
let calls = 0;

/** Calls of the stream have another target. */
function count(target: unknown): void {
  if (String(target).startsWith('DynamoDB_')) calls += 1;
}
subscribe('undici:request:create', (message) => {
  const { headers } = (message as { request: { headers: readonly string[] } }).request;
  count(headers[headers.indexOf('x-amz-target') + 1]);
});
subscribe('http.client.request.start', (message) => {
  count((message as { request: ClientRequest }).request.getHeader('x-amz-target'));
});

function write(): void {
  const file = join(env.TABLE_CALLS!, String(threadId));
  // A reader never finds a part of the number.
  writeFileSync(`${file}.new`, String(calls));
  renameSync(`${file}.new`, file);
}
setInterval(write, WRITE_MS).unref();
