import { formerIdsOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { saleLists } from '#lib/service/conversions/sales/sales-items.ts';
import { eraseUnattributedPayments } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import {
  type DueErasure,
  eraseHistory,
  eraseSales,
  moveDueErasure,
  removeDueErasure,
} from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseAnswers } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { eraseFacts } from '#lib/service/outbox/facts/facts-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';

/**
 * How long an erasure waits after it has made the customer impossible to find. A request that found the customer before
 * may still write for up to 29 seconds. The remaining seconds are for the index, which is updated a moment later.
 */
export const SETTLING_MS = 35_000;

/** A page of records that has been erased. */
interface ErasedPage {
  /** Number of real sales of the customers on the page. */
  readonly count: number;
  /** The position at which the page ends. */
  readonly position?: string;
}

/**
 * Goes through the records of customers that are marked as erased, and removes the personal data. The records of the
 * program are read only once for all these customers. If the time is over before the end, the progress is stored. The
 * function may be repeated, even while another run is in progress.
 * @param erasures erasures in one program, all at the same position
 * @returns the number of the customers' real sales; undefined if it has not finished
 */
export function eraseRecords(deps: OperatorDeps, erasures: readonly DueErasure[]): Promise<number>;
export function eraseRecords(
  deps: OperatorDeps,
  erasures: readonly DueErasure[],
  isEnding: () => boolean,
): Promise<number | undefined>;
export async function eraseRecords(
  deps: OperatorDeps,
  erasures: readonly DueErasure[],
  isEnding: () => boolean = () => false,
): Promise<number | undefined> {
  const { table } = deps;
  const { part: first, after } = erasures[0]?.position ?? { part: 0, after: undefined };
  const parts = await partsOf(deps, erasures);
  let sales = 0;
  for (const [part, pagesAfter] of parts.entries()) {
    if (part < first) continue;
    for await (const { count, position } of pagesAfter(part === first ? after : undefined)) {
      sales += count;
      if (position === undefined || !isEnding()) continue;
      for (const erasure of erasures) await moveDueErasure(table, erasure, { part, after: position });
      return undefined;
    }
  }
  for (const erasure of erasures) await removeDueErasure(table, erasure);
  return sales;
}

/** The parts of an erasure, in order. Each part erases a list of records page by page, beginning after a position. */
async function partsOf(
  deps: OperatorDeps,
  erasures: readonly DueErasure[],
): Promise<readonly ((after?: string) => AsyncGenerator<ErasedPage>)[]> {
  const { table } = deps;
  const { programId } = erasures[0]!;
  const present = new Set(erasures.map(({ clickId }) => clickId));
  const clickIds = new Set(present);
  for (const { clickId } of erasures) {
    await eraseHistory(table, { clickId });
    for (const former of await formerIdsOf(table, clickId)) clickIds.add(former);
  }
  const keyHashes = new Set(erasures.flatMap(({ keyHash }) => keyHash ?? []));
  return [
    async function* payments(after) {
      for await (const position of eraseUnattributedPayments(table, { programId, clickIds, keyHashes }, after)) {
        yield { count: 0, position };
      }
    },
    async function* facts(after) {
      const { endpoints } = await findWebhooks(table, programId);
      for await (const { erased, position } of eraseFacts(table, programId, clickIds, after)) {
        // Deliveries to a deleted webhook endpoint cannot be found, but they expire.
        for (const factId of erased) {
          for (const { id } of endpoints) await eraseAnswers(table, id, factId, deps.now);
        }
        yield { count: 0, position };
      }
    },
    ...saleLists(programId).map((list) => (after?: string) => eraseSales(table, list, present, after)),
  ];
}
