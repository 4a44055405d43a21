import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import {
  groupOf,
  joinedClaims,
  type Payout,
  type PayoutClaims,
  type PayoutItem,
} from '#lib/service/earnings/payouts/payout.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { payoutNotFound, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findPayout, payoutsOf, referredPayoutWrites } from '#lib/service/earnings/payouts/payouts-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { isNewSinceLastPayout } from '#lib/service/earnings/last-payouts/is-new-since-last-payout.ts';
import { type LastPaid, lastPayments } from '#lib/service/earnings/last-payouts/last-payments.ts';
import type { PayoutForecast, PayoutWithClaims } from '#lib/service/earnings/payouts/plan-payout.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { sameAccountOf } from '#lib/service/programs/payout-details/same-account.ts';
import { sharedDetails } from '#lib/service/programs/payout-details/shared-details.ts';
import { claimsIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';

export interface PayoutItemToPartner extends PayoutItem {
  readonly partner?: Partner;
}

/** A payout whose items contain the partner. */
export interface PayoutToPartners {
  readonly payout: Payout;
  readonly items: readonly PayoutItemToPartner[];
}

/** A payout whose items contain the partner and the commission ids. */
export interface PayoutOfCommissions extends PayoutToPartners {
  readonly items: readonly (PayoutItemToPartner & Pick<PayoutClaims, 'commissionIds'>)[];
}

interface WithDetails {
  /** Number of flagged commissions in the item. */
  readonly flagged: number;
  /** The current payout details, masked. Undefined if they are not shared. */
  readonly details?: ShownPayoutDetails;
  readonly isNew: boolean;
  /** Ids of other partners who are paid to the same account. */
  readonly sameAccount?: readonly number[];
}

/** The preview of a payout, with partners and their payout details. */
export interface PreviewToPartners extends Pick<PayoutForecast, 'payout' | 'carriedOver'> {
  readonly items: readonly (PayoutOfCommissions['items'][number] & WithDetails)[];
  readonly held: readonly (PayoutItemToPartner & WithDetails)[];
}

/**
 * Finds a payout of the program.
 * @param payoutId undefined if the sent value cannot be an id
 * @throws Refusal if the program has no such payout
 */
export async function payoutOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  payoutId: number | undefined,
): Promise<Payout> {
  const payout = payoutId === undefined ? undefined : await findPayout(table, payoutId);
  if (payout?.programId !== programId) throw payoutNotFound();
  return payout;
}

/** Payouts of a program, newest first. */
export async function listPayouts(
  deps: Deps,
  programId: number,
  request: PageRequest,
): Promise<Page<PayoutToPartners>> {
  const { items, next } = await payoutsOf(deps.table, programId, request);
  return { items: await Promise.all(items.map((payout) => toPartners(deps, payout))), next };
}

/**
 * Stores the owner's reference of the payment, such as the bank's transaction number.
 * @param seen the values that the caller saw
 * @throws Refusal if there is no such payout, or if it has changed since the caller saw it
 */
export const referToPayout = (
  deps: Deps,
  { id, programId }: Pick<Payout, 'id' | 'programId'>,
  reference: string,
  seen?: Comparison<Payout>,
): Promise<Payout> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, payout] = await Promise.all([findProgram(table, programId), payoutOf(deps, programId, id)]);
    if (!program) throw programNotFound();
    const target = { type: 'payout', id, programId } as const;
    await checkSeen(deps, target, seen, payout);
    await table.transact([
      ...referredPayoutWrites(payout, reference),
      ...auditWrites(deps, program.workspaceId, {
        action: 'payout.changed',
        target,
        changes: changesBetween(payout, { reference }),
      }),
    ]);
    return { ...payout, reference };
  });

/** Adds the partners with their current names and addresses. */
export const toPartners = async ({ table }: Pick<Deps, 'table'>, payout: Payout): Promise<PayoutToPartners> => ({
  payout,
  items: await Promise.all(
    payout.items.map(async (item) => ({
      ...item,
      partner: await findPartner(table, payout.programId, item.partnerId),
    })),
  ),
});

/** Adds the partners with their current names and addresses, and the commissions of each item. */
export async function withCommissions(deps: Deps, { payout, claims }: PayoutWithClaims): Promise<PayoutOfCommissions> {
  const ids = new Map(
    claims.map(({ partnerId, currency, commissionIds }) => [`${partnerId} ${currency}`, commissionIds]),
  );
  const { items } = await toPartners(deps, payout);
  return {
    payout,
    items: items.map((item) => ({ ...item, commissionIds: ids.get(`${item.partnerId} ${item.currency}`) ?? [] })),
  };
}

export async function previewToPartners(
  deps: Deps,
  program: Program,
  preview: PayoutForecast,
): Promise<PreviewToPartners> {
  const { payout, heldItems, carriedOver } = preview;
  const [{ items }, { items: held }] = await Promise.all([
    withCommissions(deps, preview),
    toPartners(deps, { ...payout, items: heldItems }),
  ]);
  const lastPaid = lastPayments(deps.table, payout, items.length + held.length);
  const [withTheirs, heldWithTheirs] = await Promise.all([
    withDetails(deps, program, preview, lastPaid, items),
    withDetails(deps, program, preview, lastPaid, held),
  ]);
  return { payout, items: withTheirs, held: heldWithTheirs, carriedOver };
}

const withDetails = <Item extends PayoutItemToPartner>(
  deps: Deps,
  program: Program,
  { flagged: flaggedOf }: PayoutForecast,
  lastPaid: LastPaid,
  items: readonly Item[],
) =>
  Promise.all(
    items.map(async (item): Promise<Item & WithDetails> => {
      const { partner } = item;
      const flagged = flaggedOf.get(groupOf(item)) ?? 0;
      if (!partner) return { ...item, flagged, isNew: true };
      const shared = sharedDetails(deps, program, partner);
      const [isNew, details, sameAccount] = await Promise.all([
        isNewSinceLastPayout(lastPaid, partner, shared),
        shared,
        shared.then((one) => sameAccountOf(deps, program.workspaceId, partner, one)),
      ]);
      return { ...item, flagged, details, isNew, sameAccount };
    }),
  );

/** A payout with the commissions that its steps have claimed. */
export const withItsClaims = async ({ table }: Deps, payout: Payout): Promise<PayoutWithClaims> => ({
  payout,
  claims: joinedClaims(await claimsIn(table, payout.id)),
});
