import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import {
  asReadAt,
  paidOut,
  paidSoFarCents,
  payableCents,
  paymentsOf,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { changedCommissionWrite, findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import type { StepClaim } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { groupOf } from '#lib/service/earnings/payouts/payout.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { add, type FoundPayout, notePayment } from '#lib/service/operations/restore/restored-payouts.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Records a payment of commissions again, if a payout contains the commissions but their histories do not contain the
 * payment.
 * @returns partners and currencies (`groupOf`) whose payments could not be recorded again; they are reported
 */
export async function checkRestoredPayments(
  restored: RestoredProgram,
  payout: FoundPayout,
  claims: readonly StepClaim[],
): Promise<ReadonlySet<string>> {
  const unpaid = new Set<string>();
  await noteUnlisted(restored, payout, claims);
  for (const [at, claim] of claims.entries()) {
    if (!claim.commissionIds.some((id) => (payout.differences.get(id) ?? 0) > 0)) continue;
    const why = await payClaimAgain(restored, payout, claim, claims.slice(0, at));
    if (why === undefined) continue;
    restored.unrepaired.push(`payout ${payout.id}: ${why}`);
    unpaid.add(groupOf(claim));
  }
  return unpaid;
}

/** The index shows recent changes late, so seemingly missing payments are looked up in the commissions. */
async function noteUnlisted(
  { deps: { table } }: RestoredProgram,
  payout: FoundPayout,
  claims: readonly StepClaim[],
): Promise<void> {
  const claimed = claims.flatMap(({ commissionIds }) => commissionIds);
  for (const [id, difference] of payout.differences) {
    // Payments in the list have already lowered the difference, so this commission was in the list.
    if (difference < claimed.filter((one) => one === id).length) continue;
    const commission = await findCommissionById(table, id);
    for (const { payoutId, amountCents } of commission ? paymentsOf(commission) : []) {
      if (payoutId === payout.id) notePayment(payout, commission!, amountCents);
    }
  }
}

/**
 * Records the payments of a claim (the commissions that one step of a payout put into a line) again.
 * @returns why they cannot be recorded; undefined if they are recorded
 */
async function payClaimAgain(
  restored: RestoredProgram,
  payout: FoundPayout,
  claim: StepClaim,
  earlier: readonly StepClaim[],
): Promise<string | undefined> {
  const { table } = restored.deps;
  const payments = await Promise.all(
    claim.commissionIds.map(async (id) => {
      const commission = await findCommissionById(table, id);
      // A commission may be in two steps of a payout: it was refunded while the payout was open.
      const before = earlier.filter(({ commissionIds }) => commissionIds.includes(id)).length;
      const inPayout = commission ? paymentsOf(commission).filter(({ payoutId }) => payoutId === payout.id) : [];
      return { id, commission, amountCents: inPayout[before]?.amountCents };
    }),
  );
  const missing = payments.filter(({ amountCents }) => amountCents === undefined);
  const lost = missing.filter(({ commission }) => !commission || !mayHaveBeenPaid(commission));
  if (lost.length > 0) return `it paid commission ${lost[0]!.id}, which is lost, or could not be paid`;
  const missingCents = claim.amountCents - sumOf(payments.map(({ amountCents = 0 }) => amountCents));
  const due = missing.map(({ commission }) => openCents(commission!));
  // If only one payment is missing, its amount is the claim's total less the payments that are there. This is right
  // even if a refund has changed the commission since.
  const amounts = missing.length === 1 ? [missingCents] : due;
  // If a restore has lost the failure of a line that paid a commission, the commission's open amount is wrong. So the
  // amounts are certain only if no payout has paid the commissions, or if the sums agree.
  const isSure = missing.every(({ commission }) => commission!.paidAt === undefined) || sumOf(due) === missingCents;
  if (sumOf(amounts) !== missingCents || !isSure) {
    const ids = missing.map(({ id }) => id).join(', ');
    return `it paid ${missingCents} cents for commissions ${ids}, which have ${sumOf(due)} to be paid`;
  }
  for (const [at, { commission }] of missing.entries()) {
    await payAgain(restored, payout, commission!, amounts[at]!);
    add(payout.paidCents, groupOf(claim), amounts[at]!);
  }
  return undefined;
}

const mayHaveBeenPaid = ({ status }: Commission): boolean => status !== 'held' && status !== 'rejected';

const openCents = (commission: Commission): number => payableCents(commission) - paidSoFarCents(commission);

async function payAgain(
  restored: RestoredProgram,
  payout: FoundPayout,
  stored: Commission,
  amountCents: number,
): Promise<void> {
  const { deps, program } = restored;
  const read = asReadAt(stored, program, deps.now);
  // A payout contains the commission, so it was approved then. It is pending here if the restore lost it and this check
  // has created it again.
  const before: Commission =
    read.status === 'pending' ? { ...read, status: 'approved', approvedAt: payout.createdAt } : read;
  const after = paidOut(before, payout.id, { actor: 'operator', at: deps.now }, amountCents);
  await repair(restored, `commission ${stored.id}: paid by payout ${payout.id}`, [
    changedCommissionWrite(stored, after),
  ]);
}
