import { argv } from 'node:process';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import type { Request } from '#test/live/caller.ts';
import { ask } from '#test/bench/support/in-process.ts';

/** What the table is asked for one request. */
export interface Units {
  readonly trips: number;
  readonly calls: number;
  readonly read: number;
  readonly write: number;
}

// Run in a process of its own, for the functions open one table for as long as their process lives: tells what each of
// some requests takes of the table of the environment.

// Else the first request would pay for the thousand ids that its process then has.
const { ids, table } = requestDeps(new Date(), 'bench');
await ids.take(table);

const found: Record<string, Units> = {};
for (const [name, request] of Object.entries(JSON.parse(argv[2]!) as Record<string, Request>)) {
  const calls = await sentCalls(() => ask(request));
  found[name] = { trips: dependentTrips(calls), calls: calls.length, ...unitsOf(calls) };
}
console.log(JSON.stringify(found));
