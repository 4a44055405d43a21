import { storageConfigFrom } from '#lib/service/config/config.ts';
import { documentClient, type OperatorDeps } from '#lib/service/deps.ts';
import { random } from '#lib/service/random.ts';
import { readClockOffsetMs } from '#lib/service/store/clock-offset.ts';
import { numericIds } from '#lib/service/store/sequence.ts';
import { Table } from '#lib/service/store/table.ts';

/**
 * Effects for one command, at the service's time: the real one, unless a local run moved its clock.
 * @throws Error when the environment does not say where the table is
 */
export async function operatorDeps(
  environment: Readonly<Record<string, string | undefined>>,
  realNow: () => number,
): Promise<OperatorDeps> {
  const storage = storageConfigFrom(environment);
  const client = documentClient(storage);
  const offsetMs = await readClockOffsetMs(new Table(client, storage.tableName, new Date(realNow())));
  const now = new Date(realNow() + offsetMs);
  return { now, table: new Table(client, storage.tableName, now), ids: numericIds(), random };
}
