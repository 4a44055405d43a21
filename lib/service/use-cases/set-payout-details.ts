import type { Account } from '#lib/domain/account.ts';
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
import { findPayoutDetails, payoutDetailsWrite, payoutHoldWrite } from '#lib/service/store/payout-details.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { open, seal } from '#lib/service/vault.ts';

/** Of one account; one that is a partner of more programs is a mistake. */
const MOST_PROGRAMS = 1_000;

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
    const before = await findPayoutDetails(table, accountId);
    if (before && (await open(deps, before.sealed, owner)) === text) return before;
    const until = before && holdUntil(now);
    const after: SealedPayoutDetails = {
      method: details.method,
      masked: maskedPayoutDetails(details),
      sealed: await seal(deps, text, owner),
      updatedAt: now.toISOString(),
      heldUntil: until?.toISOString(),
    };
    const partners = await partnersOfAccount(table, accountId, MOST_PROGRAMS);
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
        // Where all do not fit into one transaction, holds and rows come before the change that they are about.
        ...(until ? partners.map((partner) => payoutHoldWrite(partner, until)) : []),
        ...(await auditWritesOf(deps, partners, before, after, fact)),
      ],
      [],
    );
    return after;
  });
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
