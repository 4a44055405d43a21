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
import { type PartnerPointer, partnersOfAccount } from '#lib/service/store/partner-accounts.ts';
import {
  findPayoutDetails,
  payoutDetailsCheck,
  payoutDetailsWrite,
  payoutHoldWrite,
} from '#lib/service/store/payout-details.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { isAnythingDue } from '#lib/service/use-cases/is-anything-due.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { open, seal } from '#lib/service/vault.ts';

/**
 * Sets where an account's payouts go. A change holds its payouts for a day, and so do first details when anything is due;
 * either is told to its address, and to the workspaces whose partner it is. The same details once more change nothing.
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
    const [former, sealed] = await Promise.all([findPayoutDetails(table, accountId), seal(deps, text, owner)]);
    if (former && (await open(deps, former.sealed, owner)) === text) return former;
    const before = former && (await heldDetails(deps, accountId, former));
    const partners = await partnersOfAccount(table, accountId);
    const heldUntil = before?.heldUntil ?? (await firstHold(deps, partners));
    const after: SealedPayoutDetails = {
      method: details.method,
      masked: maskedPayoutDetails(details),
      sealed,
      updatedAt: now.toISOString(),
      heldUntil,
    };
    await table.transactLong(
      [
        payoutDetailsWrite(accountId, before, after),
        ...mailWrites({
          kind: 'payout_details_changed',
          fact,
          to: { email, name, accountId },
          data: { masked: after.masked, ...(!before && { areFirst: true }), heldUntil },
          now,
        }),
        ...(await auditWritesOf(deps, partners, before, after, fact)),
        ...(heldUntil === undefined ? [] : partners.map((partner) => payoutHoldWrite(partner, { heldUntil }))),
      ],
      // Of two changes at once the former holds nothing for a shorter time than the latter.
      before ? [payoutDetailsCheck(accountId, before)] : [],
    );
    if (!before && heldUntil !== undefined) await holdNewPartners(deps, accountId, partners, heldUntil);
    return after;
  });
}

/** Until when first details are held: a stolen address is of no use for what its person has already earned. */
const firstHold = async (deps: Deps, partners: readonly PartnerPointer[]): Promise<string | undefined> =>
  (await isAnythingDue(deps, partners)) ? holdUntil(deps.now).toISOString() : undefined;

/**
 * Holds what the account became while its first details were written: then there were none yet that a hold could be
 * taken from. An interruption before this leaves the details held, so that nobody is paid by them either.
 */
async function holdNewPartners(
  { table }: Deps,
  accountId: number,
  known: readonly PartnerPointer[],
  heldUntil: string,
): Promise<void> {
  const isKnown = new Set(known.map(({ programId }) => programId));
  const added = (await partnersOfAccount(table, accountId)).filter(({ programId }) => !isKnown.has(programId));
  if (added.length > 0)
    await table.transactLong(
      added.map((partner) => payoutHoldWrite(partner, { heldUntil })),
      [],
    );
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
