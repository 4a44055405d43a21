import { argv } from 'node:process';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import type { Request } from '#test/live/caller.ts';
import { ask } from '#test/bench/support/in-process.ts';

/** What the table calls of one request consumed. */
export interface Units {
  readonly trips: number;
  readonly calls: number;
  readonly read: number;
  readonly write: number;
}

// Prints what each request consumes in the table that the environment names. It is a separate process, because the
// functions use one table for the lifetime of their process.

// Reserves a block of ids. Otherwise the first request would reserve it, and would cost more than the others.
const { ids, table } = requestDeps(new Date(), 'bench');
await ids.take(table);

const found: Record<string, Units> = {};
for (const [name, request] of Object.entries(JSON.parse(argv[2]!) as Record<string, Request>)) {
  const calls = await sentCalls(() => ask(request));
  found[name] = { trips: dependentTrips(calls), calls: calls.length, ...unitsOf(calls) };
}
console.log(JSON.stringify(found));
