import type { AuditActor } from '#lib/service/ground/changes/audit.ts';
import { type Config, storageConfigFrom, type Variables } from '#lib/service/ground/config/config.ts';
import { type Container, currentContainer, type Once } from '#lib/service/ground/effects/container.ts';
import { formerTableIsChecked } from '#lib/service/ground/values/refusals.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { type Random, random } from '#lib/service/ground/effects/random.ts';
import { openStorage } from '#lib/service/ground/effects/storage.ts';
import { readClockOffsetMs } from '#lib/service/ground/counters/clock-offset-items.ts';
import type { NumericIds } from '#lib/service/ground/counters/sequence-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** What an action may use besides its input, for one request: time, table, log, random values and other services. */
export interface Deps {
  /** The service's time for the whole request. No other clock is read. */
  readonly now: Date;
  readonly table: Table;
  readonly ids: NumericIds;
  readonly random: Random;
  readonly config: Config;
  readonly log: Log;
  /** Creates or reuses parts of the container that only some functions need. */
  readonly once: Once;
  /** Aborts calls to other services early enough that the failure can still be answered and logged. */
  readonly deadline?: AbortSignal;
  /** Aborts some seconds before `deadline`. Work that the next run can continue then stops between two steps. */
  readonly ending?: AbortSignal;
  /** Who makes the change, for the audit list. Undefined where changes are not audited (tracking, processor events). */
  readonly actor?: AuditActor;
  /** Ids for log lines, set as soon as they are known. */
  readonly logContext: { programId?: number };
}

/** What an operator's command may use: the table, but no request, log or HTTP configuration. */
export type OperatorDeps = Pick<Deps, 'now' | 'table' | 'ids' | 'random'>;

/** What the operator's command line may use. */
export interface CommandDeps extends OperatorDeps {
  /** Opens another table in the same account and region. @throws Refusal for the table that is open */
  readonly tableNamed: (tableName: string) => Table;
}

/** Lambda's invocation context. Undefined outside Lambda. */
export interface LambdaContext {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Time that is left for the reply and its log line after calls to other services were aborted. */
const ANSWER_MS = 1_000;

/** What an action may use, for one request. @param now the request's time */
export function requestDeps(
  now: Date,
  requestId: string,
  { getRemainingTimeInMillis }: LambdaContext = {},
  { config, tableAt, ids, logWith, once }: Container = currentContainer(),
): Deps {
  const deadline =
    getRemainingTimeInMillis && AbortSignal.timeout(Math.max(0, Math.trunc(getRemainingTimeInMillis()) - ANSWER_MS));
  return {
    now,
    table: tableAt(now, deadline),
    ids,
    random,
    config,
    log: logWith({ request_id: requestId }),
    once,
    deadline,
    logContext: {},
  };
}

/**
 * What an action may use, for one operator command. The time is real, unless a local run has shifted its clock.
 * @throws Error if the environment does not name the table
 */
export async function operatorDeps(environment: Variables, realNow: () => number): Promise<CommandDeps> {
  const config = storageConfigFrom(environment);
  const { tableAt, ids } = openStorage(config);
  const offsetMs = await readClockOffsetMs(tableAt(new Date(realNow())));
  const now = new Date(realNow() + offsetMs);
  const tableNamed = (tableName: string) => {
    if (tableName === config.tableName) throw formerTableIsChecked();
    return openStorage({ ...config, tableName }).tableAt(now);
  };
  return { now, table: tableAt(now), ids, random, tableNamed };
}
