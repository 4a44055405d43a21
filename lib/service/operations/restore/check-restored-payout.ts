import { canonical } from '#lib/service/ground/changes/audit.ts';
import {
  groupOf,
  joinedClaims,
  type Payout,
  type PayoutClaims,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import { paymentsOf } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { claimsIn, claimWrites, type StepClaim } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import {
  changedPayoutWrite,
  findPayout,
  newPayoutWrite,
  openPayoutRemoval,
} from '#lib/service/earnings/payouts/payouts-items.ts';
import { isMailingQueued } from '#lib/service/people/mail/mails-items.ts';
import { checkRestoredPayments } from '#lib/service/operations/restore/check-restored-payments.ts';
import type { FoundPayout } from '#lib/service/operations/restore/restored-payouts.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Makes the items of one payout agree. Each item proves that others existed:
 *
 * | There is | so there was | and a missing one |
 * |---|---|---|
 * | a claim | the payment in each commission that it names | is recorded again, if the claim's amount determines it |
 * | a payment in a commission | a claim that names it | is restored from the commissions |
 * | a claim | its step and amount in the payout | is restored from the claims |
 * | an amount in the payout | claims that sum up to it | is reported, because the commissions that it paid are unknown |
 * | an open payout | the mark of the open one | means that the payout is complete; the next one pays the rest |
 * | the mail of the payout | its last step | means that the payout is complete |
 * | the mark | an open payout | is not restored: the mark is removed |
 *
 * A payout of which only claims or payments are left is complete, too: the partner and the days of its request are
 * lost.
 *
 * @param openId id in the mark of the program's open payout
 */
export async function checkRestoredPayout(
  restored: RestoredProgram,
  found: FoundPayout,
  openId: number | undefined,
): Promise<void> {
  const { table } = restored.deps;
  const claims = await claimsIn(table, found.id);
  const unpaid = await checkRestoredPayments(restored, found, claims);
  const header = await findPayout(table, found.id);
  const lost = await lostClaims(restored, found, claims, header);
  const isMailed = await isMailingQueued(table, { kind: 'payout_made', fact: String(found.id) });
  const status = header?.status === 'open' && openId === found.id && !isMailed ? 'open' : 'made';
  const whole = wholePayout(restored, found, [...claims, ...lost], header, status);
  const short = unaccounted(found, whole, header).filter(({ group }) => !unpaid.has(group));
  restored.unrepaired.push(...short.map(({ line }) => line));
  // An incomplete claim would conflict with the complete one that a person restores.
  const remade = lost.filter((claim) => !short.some(({ group }) => group === groupOf(claim)));
  for (const claim of remade) await claimAgain(restored, found, claim);
  if (short.length === 0) await checkPayout(restored, whole, header, openId);
}

/** Claims for payments that are in the histories of commissions but in no claim. */
async function lostClaims(
  { deps }: RestoredProgram,
  { id, createdAt, differences }: FoundPayout,
  claims: readonly StepClaim[],
  header: Payout | undefined,
): Promise<StepClaim[]> {
  const payments: PayoutClaims[] = [];
  for (const [commissionId, difference] of differences) {
    if (difference > 0) continue;
    const commission = (await findCommissionById(deps.table, commissionId))!;
    const { partnerId, currency } = commission;
    const inPayout = paymentsOf(commission).filter(({ payoutId }) => payoutId === id);
    for (const { amountCents } of inPayout.slice(difference)) {
      payments.push({ partnerId, currency, amountCents, commissionIds: [commissionId] });
    }
  }
  return joinedClaims(payments).map((claim) => ({ ...claim, step: stepWithout(claim, claims, header), createdAt }));
}

async function claimAgain(restored: RestoredProgram, { id, createdAt }: FoundPayout, claim: StepClaim): Promise<void> {
  const payout = { id, programId: restored.program.id, createdAt };
  const what = `payout ${id}: its claim of ${namesOf(claim)}`;
  await repair(restored, what, claimWrites(payout, claim.step, [claim]));
}

const namesOf = ({ commissionIds }: Pick<PayoutClaims, 'commissionIds'>): string =>
  `commission${commissionIds.length === 1 ? '' : 's'} ${commissionIds.join(', ')}`;

/** The step of a lost claim: the first without any claim, or without one of this partner and currency, or a new one. */
function stepWithout(claim: PayoutClaims, claims: readonly StepClaim[], header: Payout | undefined): number {
  const last = Math.max(header?.steps ?? 1, ...claims.map(({ step }) => step));
  const steps = Array.from({ length: last }, (_, at) => at + 1);
  const lacks = (some: readonly StepClaim[]) => steps.find((step) => !some.some((one) => one.step === step));
  return lacks(claims) ?? lacks(claims.filter((one) => groupOf(one) === groupOf(claim))) ?? last + 1;
}

/** The payout as its claims show it. */
function wholePayout(
  { program }: RestoredProgram,
  { id, createdAt }: FoundPayout,
  claims: readonly StepClaim[],
  header: Payout | undefined,
  status: Payout['status'],
): Payout {
  const nothing: Payout = {
    ...(header ?? { id, programId: program.id, createdAt, createdBy: 'operator' }),
    status,
    steps: 0,
    items: [],
  };
  const steps = Math.max(header?.steps ?? 0, ...claims.map(({ step }) => step));
  return { ...withClaims(nothing, joinedClaims(claims), status), steps };
}

/**
 * Returns partners and currencies (`groupOf`) whose claims do not match the payout or the commissions, each with the
 * difference in words.
 */
function unaccounted({ id, paidCents }: FoundPayout, whole: Payout, header: Payout | undefined) {
  const claimed = new Map(whole.items.map((item) => [groupOf(item), item]));
  const paid = new Map([...whole.items, ...(header?.items ?? [])].map((item) => [groupOf(item), item]));
  return [...paid].flatMap(([group, item]) => {
    const { partnerId, currency } = item;
    const { commissions, amountCents } = claimed.get(group) ?? { commissions: 0, amountCents: 0 };
    const shownCents = paidCents.get(group) ?? 0;
    // With more commissions, the claims contain a step that the payout itself does not contain yet.
    const isWhole = commissions > item.commissions || amountCents === item.amountCents;
    if (commissions >= item.commissions && isWhole && shownCents === amountCents) return [];
    const line =
      `payout ${id}: it paid ${item.amountCents} cents to partner ${partnerId} in ${currency} for ${item.commissions} commissions; ` +
      `its claims say ${amountCents} for ${commissions}, its commissions ${shownCents}`;
    return [{ group, line }];
  });
}

async function checkPayout(
  restored: RestoredProgram,
  whole: Payout,
  header: Payout | undefined,
  openId: number | undefined,
): Promise<void> {
  const isMarked = openId === whole.id;
  const unmark = isMarked && whole.status === 'made' ? [openPayoutRemoval(whole)] : [];
  const write = header ? changedPayoutWrite(header, whole) : newPayoutWrite(whole);
  const isSame = header !== undefined && canonical({ ...header, ...whole }) === canonical(header);
  if (isSame && unmark.length === 0) return;
  const what = isSame ? 'the mark that it is open' : 'its state and amounts';
  await repair(restored, `payout ${whole.id}: ${what}`, [...(isSame ? [] : [write]), ...unmark]);
}
