import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** That an endpoint has, or will have, something to be sent; absent while there is nothing. */
export interface WebhookWork {
  readonly endpointId: number;
  readonly programId: number;
  /** How often it was woken: a sender gives up only when nothing has come since it looked. */
  readonly wakes: number;
  /** When the next attempt is due, ISO 8601. */
  readonly nextAt: string;
  /** Who is sending. */
  readonly holder?: string;
  /** Until when, in milliseconds since 1970, as long as it does not prolong it; 0: nobody. */
  readonly leaseUntilMs: number;
  /** Wakes since a lease was last taken: after the first of them a message is under way. */
  readonly unheard?: number;
}

type WebhookTarget = Pick<WebhookWork, 'endpointId' | 'programId'>;

/** Longer than an attempt takes: a sender prolongs its lease between them. After its death, nobody else sends for so long. */
export const LEASE_MS = 45_000;

/** One that ends too far ahead was made by a clock that has been moved back since. */
export const isLeased = ({ leaseUntilMs }: Pick<WebhookWork, 'leaseUntilMs'>, now: Date): boolean =>
  leaseUntilMs > now.getTime() && leaseUntilMs <= now.getTime() + 2 * LEASE_MS;

interface NotedWake {
  /** Somebody is sending, who notices this by the number of wakes. */
  readonly isBeingSent: boolean;
  /** A message is under way, unless it was lost. */
  readonly isExpected: boolean;
}

export async function noteWake(table: Table, { endpointId, programId }: WebhookTarget, now: Date): Promise<NotedWake> {
  const work = await table.update<Pick<WebhookWork, 'leaseUntilMs'> & { readonly unheard: number }>(
    factKeys.webhookWork(endpointId),
    {
      set: { endpointId, programId, nextAt: now.toISOString() },
      // Adding nothing makes the table return it.
      add: { wakes: 1, unheard: 1, leaseUntilMs: 0 },
    },
  );
  return { isBeingSent: isLeased(work, now), isExpected: work.unheard > 1 };
}

export async function findWork(table: Table, endpointId: number): Promise<WebhookWork | undefined> {
  table.forget();
  return table.get<WebhookWork>(factKeys.webhookWork(endpointId));
}

/** Takes or prolongs a lease. @returns the work as it is held now; undefined: it is somebody else's */
export async function holdLease(
  table: Table,
  work: WebhookWork,
  holder: string,
  now: Date,
): Promise<WebhookWork | undefined> {
  const leaseUntilMs = now.getTime() + LEASE_MS;
  const isHeld = await unlessLost(
    () =>
      table.update(
        factKeys.webhookWork(work.endpointId),
        { set: { holder, leaseUntilMs, unheard: undefined } },
        { equals: { holder: work.holder, leaseUntilMs: work.leaseUntilMs } },
      ),
    // The answer to the very same request was lost.
    (found) => found?.holder === holder,
  );
  return isHeld ? { ...work, holder, leaseUntilMs } : undefined;
}

/**
 * Gives a lease back. @param nextAt absent: there is nothing to be sent
 * @returns false when there was a wake since `work` was read, or the lease is somebody else's
 */
export const giveLeaseBack = (table: Table, work: WebhookWork, holder: string, nextAt?: string): Promise<boolean> =>
  unlessLost(() => {
    const key = factKeys.webhookWork(work.endpointId);
    const condition = { equals: { holder, wakes: work.wakes } };
    if (nextAt === undefined) return removeItem(table, key, condition);
    return table.update(key, { set: { holder: undefined, leaseUntilMs: 0, unheard: undefined, nextAt } }, condition);
  });

async function unlessLost(
  write: () => Promise<unknown>,
  isWon: (found?: Partial<WebhookWork>) => boolean = () => false,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return isWon(error.existing.get('item'));
    throw error;
  }
}

/** All endpoints that have something to be sent, some time or other, page by page. */
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
