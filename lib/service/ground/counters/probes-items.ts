import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, MOST_WRITES } from '#lib/service/ground/table/writes.ts';

/**
 * Probes show how far the counters are. The service does not know the shards of the table's stream, but a key's hash
 * decides to which one its changes go: so enough probes almost surely reach all of them, and each comes after everything
 * written before it. A thousand miss one of sixty shards three times in a million.
 */
export const PROBES = 1_000;
/** As long as the stream keeps records: a consumer may be so late. */
const LIFE_SECONDS = 24 * 3_600;

const probeKeys = (run: string, count: number): Key[] =>
  Array.from({ length: count }, (_, number) => keys.probe(run, number));

/** Writes probes, which appear in the stream. @param run their unique name */
export async function sendProbes(table: Table, run: string, count: number, now: Date): Promise<void> {
  const expiresAt = Math.floor(now.getTime() / 1000) + LIFE_SECONDS;
  const all = probeKeys(run, count);
  for (let at = 0; at < all.length; at += MOST_WRITES) {
    const some = all.slice(at, at + MOST_WRITES);
    await table.transact(some.map((key) => ({ name: 'probe', key, put: { expires_at: expiresAt } })));
  }
}

/** Whether everything written before these probes is counted, or has failed for good. */
export async function haveProbesPassed(table: Table, run: string, count: number): Promise<boolean> {
  table.forget();
  const found = await Promise.all(probeKeys(run, count).map((key) => table.get<{ passed?: true }>(key)));
  return found.every((probe) => probe?.passed);
}

/** The probe of a record of the stream. */
export function probeIn({ dynamodb }: DynamoDBRecord): Key | undefined {
  const { pk, sk } = dynamodb?.Keys ?? {};
  // Its update and its removal are records, too.
  const isNew = dynamodb?.NewImage !== undefined && dynamodb.OldImage === undefined;
  return isNew && sk?.S === keys.probe('', 0).sk ? { pk: pk!.S!, sk: sk.S } : undefined;
}

/** Stores that all records before this probe were processed. */
export async function passProbe(table: Table, probe: Key): Promise<void> {
  try {
    await table.update(probe, { set: { passed: true } }, { exists: true });
  } catch (error) {
    // It has expired: no rebuild waits for it any more.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
