import type { Account } from '#lib/service/ground/addresses/account.ts';
import {
  holdUntil,
  maskedPayoutDetails,
  type PayoutDetails,
  type SealedPayoutDetails,
  type ShownPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { type PartnerPointer, partnersOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import {
  findStoredDetails,
  payoutDetailsCheck,
  payoutDetailsWrite,
  payoutHoldWrite,
  type StoredPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details-items.ts';
import {
  changedDetailsMail,
  changedDetailsRows,
  sharedWith,
  type SharedWith,
} from '#lib/service/programs/payout-details/changed-details-writes.ts';
import { checkAccountIsOpen } from '#lib/service/people/accounts/check-account-is-open.ts';
import { hasEarnedAnything } from '#lib/service/earnings/last-payouts/has-earned-anything.ts';
import { accountHashOf } from '#lib/service/programs/payout-details/same-account.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { open, seal } from '#lib/service/ground/effects/vault.ts';

/**
 * Sets an account's payout details. After a change, the account's payouts are on hold for a day. The same applies after
 * the first details are set, if the account has already earned something. Both are announced to the account by e-mail,
 * and recorded in the audit log of each workspace with which the details are shared. Setting the same details again
 * changes nothing.
 */
export async function setPayoutDetails(
  deps: Deps,
  account: Account,
  details: PayoutDetails,
): Promise<ShownPayoutDetails> {
  const { table, now } = deps;
  const { id: accountId } = account;
  const owner = { accountId };
  const text = JSON.stringify(details);
  const fact = deps.random.auditId();
  return retryOnConflict(deps, async () => {
    await checkAccountIsOpen(deps, accountId);
    const [former, sealed, accountHash] = await Promise.all([
      findStoredDetails(table, accountId),
      seal(deps, text, owner),
      accountHashOf(deps, details),
    ]);
    if (former?.sealed !== undefined && (await open(deps, former.sealed, owner)) === text) return former;
    const before = former && (await heldDetails(deps, accountId, former));
    const partners = await partnersOfAccount(table, accountId);
    const workspaces = await sharedWith(deps, accountId, partners);
    const heldUntil = before?.heldUntil ?? (await firstHold(deps, partners));
    const after: SealedPayoutDetails = {
      method: details.method,
      masked: maskedPayoutDetails(details),
      sealed,
      accountHash,
      updatedAt: now.toISOString(),
      heldUntil,
    };
    const change = { before: before?.sealed === undefined ? undefined : before, after, fact };
    await table.transactLong(
      [
        payoutDetailsWrite(accountId, before, after),
        openAccountCheck(accountId),
        ...changedDetailsMail(deps, account, change),
        ...(await changedDetailsRows(deps, workspaces, change)),
        ...(heldUntil === undefined
          ? []
          : partners.map((partner) => payoutHoldWrite(partner, { heldUntil, accountId }))),
      ],
      // Fails if another change of the details was written first. This request reloads and keeps that change's hold.
      before ? [payoutDetailsCheck(accountId, before)] : [],
    );
    table.forget();
    const present = await partnersOfAccount(table, accountId);
    if (!before && heldUntil !== undefined) await holdNewPartners(deps, accountId, partners, present, heldUntil);
    const added = newWorkspaces(workspaces, await sharedWith(deps, accountId, present));
    if (added.size > 0) {
      // The audit entry for a newly added workspace leaves out the former details, because its members may have no
      // right to see them.
      const seen = { ...change, before: change.before && { accountHash: change.before.accountHash } };
      await table.transactLong(await changedDetailsRows(deps, added, seen), []);
    }
    return after;
  });
}

/**
 * The end of the hold after an account's first payout details. Without this hold, a thief of the e-mail address could
 * divert money that was already earned.
 */
const firstHold = async (deps: Deps, partners: readonly PartnerPointer[]): Promise<string | undefined> =>
  (await hasEarnedAnything(deps, partners)) ? holdUntil(deps.now).toISOString() : undefined;

/**
 * The account may have joined programs while its first details were being written. Puts its payouts in these programs
 * on hold. (A program that is joined later copies the hold of the account.) If the request is interrupted before this,
 * no details are used either, because the stored details themselves are on hold.
 */
async function holdNewPartners(
  { table }: Deps,
  accountId: number,
  known: readonly PartnerPointer[],
  present: readonly PartnerPointer[],
  heldUntil: string,
): Promise<void> {
  const isKnown = new Set(known.map(({ programId }) => programId));
  const added = present.filter(({ programId }) => !isKnown.has(programId));
  if (added.length > 0)
    await table.transactLong(
      added.map((partner) => payoutHoldWrite(partner, { heldUntil, accountId })),
      [],
    );
}

/** Workspaces with which the details are shared now, but were not at the first read. */
const newWorkspaces = (known: SharedWith, present: SharedWith): SharedWith =>
  new Map([...present].filter(([workspaceId]) => !known.has(workspaceId)));

/**
 * Puts the former details on hold before anything else is written. A program that the account joins later copies this
 * hold. The programs that it joined earlier are read afterwards, so none is missed. If the change is interrupted here,
 * the former details remain, on hold.
 */
async function heldDetails({ table, now }: Deps, accountId: number, former: StoredPayoutDetails) {
  const heldUntil = holdUntil(now).toISOString();
  if (former.heldUntil !== undefined && former.heldUntil >= heldUntil)
    return { ...former, heldUntil: former.heldUntil };
  const held = { ...former, heldUntil };
  await table.transact([payoutDetailsWrite(accountId, former, held), openAccountCheck(accountId)]);
  return held;
}
