import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, MOST_WRITES } from '#lib/service/ground/table/writes.ts';

/**
 * The number of probes. A probe is an item that is written only to find out how far the stream has been processed. The
 * hash of its key decides to which shard of the stream it belongs. We do not know the shards, but so many probes almost
 * certainly reach all of them, each after everything written before. A thousand probes miss one of sixty shards three
 * times in a million.
 */
export const PROBES = 1_000;
/** How long a probe exists: as long as the stream keeps records, because the stream's reader may be that late. */
const LIFE_SECONDS = 24 * 3_600;

const probeKeys = (run: string, count: number): Key[] =>
  Array.from({ length: count }, (_, number) => keys.probe(run, number));

/** Writes probes, which then appear in the stream. @param run a unique name for these probes */
export async function sendProbes(table: Table, run: string, count: number, now: Date): Promise<void> {
  const expiresAt = Math.floor(now.getTime() / 1000) + LIFE_SECONDS;
  const all = probeKeys(run, count);
  for (let at = 0; at < all.length; at += MOST_WRITES) {
    const some = all.slice(at, at + MOST_WRITES);
    await table.transact(some.map((key) => ({ name: 'probe', key, put: { expires_at: expiresAt } })));
  }
}

/**
 * Whether the counters have processed every stream record that was written before these probes. A record that finally
 * failed counts as processed.
 */
export async function haveProbesPassed(table: Table, run: string, count: number): Promise<boolean> {
  table.forget();
  const found = await Promise.all(probeKeys(run, count).map((key) => table.get<{ passed?: true }>(key)));
  return found.every((probe) => probe?.passed);
}

/** The key of the probe in a stream record; undefined if the record is not a new probe. */
export function probeIn({ dynamodb }: DynamoDBRecord): Key | undefined {
  const { pk, sk } = dynamodb?.Keys ?? {};
  // Updates and removals of a probe appear in the stream, too.
  const isNew = dynamodb?.NewImage !== undefined && dynamodb.OldImage === undefined;
  return isNew && sk?.S === keys.probe('', 0).sk ? { pk: pk!.S!, sk: sk.S } : undefined;
}

/** Records that the counters have processed all records of the shard before this probe. */
export async function passProbe(table: Table, probe: Key): Promise<void> {
  try {
    await table.update(probe, { set: { passed: true } }, { exists: true });
  } catch (error) {
    // The probe has expired, so no one waits for it any more.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
