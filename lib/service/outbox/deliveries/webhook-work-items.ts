import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/**
 * The item of an endpoint that has deliveries to send now or later. It contains the lease of the sender that works on
 * the endpoint.
 */
export interface WebhookWork {
  readonly endpointId: number;
  readonly programId: number;
  /**
   * How often someone has requested to send for this endpoint. A sender releases its lease only if this number has not
   * changed since it last checked for deliveries.
   */
  readonly wakes: number;
  /** When the next attempt is due, ISO 8601. */
  readonly nextAt: string;
  /** The sender that holds the lease. */
  readonly holder?: string;
  /** When the lease ends if it is not extended, in milliseconds since 1970. 0 if there is no lease. */
  readonly leaseUntilMs: number;
  /** The number of requests to send since a sender last took the lease. Only the first of them queues a message. */
  readonly unheard?: number;
}

type WebhookTarget = Pick<WebhookWork, 'endpointId' | 'programId'>;

/**
 * Duration of a lease, which is longer than an attempt: a sender extends its lease between attempts. After a crash,
 * sending pauses for this time.
 */
export const LEASE_MS = 45_000;

/** A lease that ends too far in the future was made by a clock that has been set back since, and is ignored. */
export const isLeased = ({ leaseUntilMs }: Pick<WebhookWork, 'leaseUntilMs'>, now: Date): boolean =>
  leaseUntilMs > now.getTime() && leaseUntilMs <= now.getTime() + 2 * LEASE_MS;

interface RecordedWake {
  /** Set if another sender holds the lease. That sender checks for deliveries again, because `wakes` has increased. */
  readonly isBeingSent: boolean;
  /** Set if the queue already contains a message for this endpoint, unless that message was lost. */
  readonly isExpected: boolean;
}

export async function recordWake(
  table: Table,
  { endpointId, programId }: WebhookTarget,
  now: Date,
): Promise<RecordedWake> {
  const work = await table.update<Pick<WebhookWork, 'leaseUntilMs'> & { readonly unheard: number }>(
    factKeys.webhookWork(endpointId),
    {
      set: { endpointId, programId, nextAt: now.toISOString() },
      // Adding zero changes nothing, but makes the update return `leaseUntilMs`.
      add: { wakes: 1, unheard: 1, leaseUntilMs: 0 },
    },
  );
  return { isBeingSent: isLeased(work, now), isExpected: work.unheard > 1 };
}

export async function findWork(table: Table, endpointId: number): Promise<WebhookWork | undefined> {
  table.forget();
  return table.get<WebhookWork>(factKeys.webhookWork(endpointId));
}

/**
 * Takes or extends a lease. If two senders race, the second one stops.
 * @returns the work item with the lease; undefined if another sender holds it
 */
export async function takeLease(
  table: Table,
  work: WebhookWork,
  holder: string,
  now: Date,
): Promise<WebhookWork | undefined> {
  const leaseUntilMs = now.getTime() + LEASE_MS;
  const isTaken = await tryWrite(
    () =>
      table.update(
        factKeys.webhookWork(work.endpointId),
        { set: { holder, leaseUntilMs, unheard: undefined } },
        { equals: { holder: work.holder, leaseUntilMs: work.leaseUntilMs } },
      ),
    // The condition also fails if the SDK repeats this write because the response to its first attempt was lost. Then
    // this sender holds the lease already.
    (found) => found?.holder === holder,
  );
  return isTaken ? { ...work, holder, leaseUntilMs } : undefined;
}

/**
 * Releases a lease.
 * @param nextAt when the next delivery is due; undefined if there is none
 * @returns false if the lease stays: someone has requested to send since `work` was read, or another sender holds it
 */
export const releaseLease = (table: Table, work: WebhookWork, holder: string, nextAt?: string): Promise<boolean> =>
  tryWrite(() => {
    const key = factKeys.webhookWork(work.endpointId);
    const condition = { equals: { holder, wakes: work.wakes } };
    if (nextAt === undefined) return removeItem(table, key, condition);
    return table.update(key, { set: { holder: undefined, leaseUntilMs: 0, unheard: undefined, nextAt } }, condition);
  });

async function tryWrite(
  write: () => Promise<unknown>,
  isRepeated: (found?: Partial<WebhookWork>) => boolean = () => false,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return isRepeated(error.existing.get('item'));
    throw error;
  }
}

/** All endpoints with deliveries to send, now or later, in pages. */
export async function* workInPages(table: Table): AsyncGenerator<readonly WebhookWork[]> {
  const { pk } = factKeys.webhookWork(0);
  let after: string | undefined;
  do {
    const page: WebhookWork[] = await table.query<WebhookWork>(pk, { most: PAGE, after, forList: true });
    yield page;
    after = page.length < PAGE ? undefined : factKeys.webhookWork(page.at(-1)!.endpointId).sk;
  } while (after !== undefined);
}

const PAGE = 1_000;
