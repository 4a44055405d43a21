import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { env } from 'node:process';
import { threadId } from 'node:worker_threads';

// A service of any version is started with this module (`--import`). Each of its threads then writes to a file how many
// table calls it has made.

const WRITE_MS = 100;
let calls = 0;

/** Counts a call. Calls of the table's stream have another target, and are not counted. */
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
  // The file is replaced as a whole, so that no reader sees only a part of the number.
  writeFileSync(`${file}.new`, String(calls));
  renameSync(`${file}.new`, file);
}
setInterval(write, WRITE_MS).unref();
