import { type Config, storageConfigFrom, type Variables } from '#lib/service/config/config.ts';
import { type Container, currentContainer, type Once } from '#lib/service/container.ts';
import type { Log } from '#lib/service/log.ts';
import { type Random, random } from '#lib/service/random.ts';
import { openStorage } from '#lib/service/storage.ts';
import { readClockOffsetMs } from '#lib/service/store/clock-offset.ts';
import type { NumericIds } from '#lib/service/store/sequence.ts';
import type { Table } from '#lib/service/store/table.ts';

/** Every effect a use-case may have, for one request. */
export interface Deps {
  /** The service's time for the whole request; nothing else asks a clock. */
  readonly now: Date;
  readonly table: Table;
  readonly ids: NumericIds;
  readonly random: Random;
  readonly config: Config;
  readonly log: Log;
  /** Parts of the container that only some functions need. */
  readonly once: Once;
  /** Ends every call to other services, so that the request's failure is answered and logged in time. */
  readonly deadline?: AbortSignal;
  /** What the request turned out to be about, noted by the use-case as soon as it knows. */
  readonly logContext: { programId?: number };
}

/** What an operator's command has of them: the table, without request, log or the configuration of HTTP. */
export type OperatorDeps = Pick<Deps, 'now' | 'table' | 'ids' | 'random'>;

/** What Lambda tells a function about its run; other callers leave it out. */
export interface LambdaContext {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Time that is left for the answer and its log line when the calls to other services are given up. */
const ANSWER_MS = 1_000;

/** Effects for one request. @param now the time at which it counts */
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
 * Effects for one command of the operator, at the service's time: the real one, unless a local run moved its clock.
 * @throws Error when the environment does not say where the table is
 */
export async function operatorDeps(environment: Variables, realNow: () => number): Promise<OperatorDeps> {
  const { tableAt, ids } = openStorage(storageConfigFrom(environment));
  const offsetMs = await readClockOffsetMs(tableAt(new Date(realNow())));
  const now = new Date(realNow() + offsetMs);
  return { now, table: tableAt(now), ids, random };
}
