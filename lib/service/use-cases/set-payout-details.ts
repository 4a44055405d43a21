import type { Account } from '#lib/domain/account.ts';
import { sharesDetails } from '#lib/domain/partner.ts';
import { changesBetween } from '#lib/domain/audit.ts';
import {
  holdUntil,
  maskedPayoutDetails,
  type PayoutDetails,
  type SealedPayoutDetails,
  type ShownPayoutDetails,
} from '#lib/domain/payout-details.ts';
import type { Deps } from '#lib/service/deps.ts';
import { mailWrites } from '#lib/service/store/mails.ts';
import { partnersOfAccount } from '#lib/service/store/partner-accounts.ts';
import {
  findPayoutDetails,
  payoutDetailsCheck,
  payoutDetailsWrite,
  payoutHoldWrite,
} from '#lib/service/store/payout-details.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { accountHashOf, accountWrites } from '#lib/service/use-cases/same-account.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { open, seal } from '#lib/service/vault.ts';

/**
 * Sets where an account's payouts go. A change, unlike the first details, holds its payouts for a day; either is told to
 * its address, and to the workspaces whose partner it is. The same details once more change nothing.
 */
export async function setPayoutDetails(
  deps: Deps,
  { id: accountId, email, name }: Account,
  details: PayoutDetails,
): Promise<ShownPayoutDetails> {
  const { table, now } = deps;
  const owner = { accountId };
  const text = JSON.stringify(details);
  const fact = deps.random.auditId();
  return retryOnConflict(deps, async () => {
    const [former, sealed, accountHash] = await Promise.all([
      findPayoutDetails(table, accountId),
      seal(deps, text, owner),
      accountHashOf(deps, details),
    ]);
    if (former && (await open(deps, former.sealed, owner)) === text) return former;
    const before = former && (await heldDetails(deps, accountId, former));
    const after: SealedPayoutDetails = {
      method: details.method,
      masked: maskedPayoutDetails(details),
      sealed,
      accountHash,
      updatedAt: now.toISOString(),
      heldUntil: before?.heldUntil,
    };
    const partners = await partnersOfAccount(table, accountId);
    await table.transactLong(
      [
        payoutDetailsWrite(accountId, before, after),
        ...mailWrites({
          kind: 'payout_details_changed',
          fact,
          to: { email, name, accountId },
          data: { masked: after.masked, heldUntil: after.heldUntil },
          now,
        }),
        ...(await auditWritesOf(deps, partners, before, after, fact)),
        ...(await sameAccountWritesOf(deps, partners, before, after)),
        ...(before ? partners.map((partner) => payoutHoldWrite(partner, new Date(before.heldUntil))) : []),
      ],
      // Of two changes at once the former holds nothing for a shorter time than the latter.
      before ? [payoutDetailsCheck(accountId, before)] : [],
    );
    return after;
  });
}

/**
 * Holds the former details before anything else is written. Whoever becomes a partner from now on is held as well, and
 * the others are read afterwards. A change that is interrupted here leaves the former details, held.
 */
async function heldDetails({ table, now }: Deps, accountId: number, former: SealedPayoutDetails) {
  const heldUntil = holdUntil(now).toISOString();
  if (former.heldUntil !== undefined && former.heldUntil >= heldUntil)
    return { ...former, heldUntil: former.heldUntil };
  const held = { ...former, heldUntil };
  await table.transact([payoutDetailsWrite(accountId, former, held)]);
  return held;
}

/** One row in each workspace of which the account is a partner; a partner has one id in all programs of a workspace. */
async function auditWritesOf(
  deps: Deps,
  partners: Awaited<ReturnType<typeof partnersOfAccount>>,
  before: ShownPayoutDetails | undefined,
  { method, masked }: ShownPayoutDetails,
  id: string,
) {
  const programs = await Promise.all(partners.map(({ programId }) => findProgram(deps.table, programId)));
  const ofWorkspaces = new Map(programs.map((program, at) => [program?.workspaceId, partners[at]!]));
  return [...ofWorkspaces].flatMap(([workspaceId, { partnerId }]) =>
    workspaceId === undefined
      ? []
      : auditWrites(deps, workspaceId, {
          id,
          action: 'payout_details.changed',
          target: { type: 'partner', id: partnerId },
          changes: {
            masked: { from: before?.masked ?? null, to: masked },
            ...changesBetween({ method: before?.method }, { method }),
          },
        }),
  );
}

/** In each workspace that the details are shared with: whether another of its partners has the same account. */
async function sameAccountWritesOf(
  deps: Deps,
  partners: Awaited<ReturnType<typeof partnersOfAccount>>,
  before: SealedPayoutDetails | undefined,
  after: SealedPayoutDetails,
) {
  const { table } = deps;
  const found = await Promise.all(
    partners.map(({ programId, partnerId }) =>
      Promise.all([findProgram(table, programId), findPartner(table, programId, partnerId)]),
    ),
  );
  const ofWorkspaces = new Map(
    found.flatMap(([program, partner]) =>
      program && partner && sharesDetails(partner) ? [[program.workspaceId, partner.id] as const] : [],
    ),
  );
  const writes = await Promise.all(
    [...ofWorkspaces].map(([workspaceId, id]) => accountWrites(deps, workspaceId, id, { before, after })),
  );
  return writes.flat();
}
