import type { Currency } from '#lib/service/ground/values/currency.ts';
import { balancesOf, type PartnerBalance } from '#lib/service/reports/exports/balances.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { unsettledAt } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { unsettledCommissionsOfPartner } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { paidLinesCents } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { payoutsHeldUntil } from '#lib/service/earnings/payouts/held-partners.ts';

/**
 * Returns a partner's earnings by currency. Unpaid amounts come from the index, paid amounts from the counter, and both
 * may be some seconds behind.
 */
export async function partnerBalance(
  { table, now }: Deps,
  program: Program,
  { id: partnerId }: Pick<Partner, 'id'>,
): Promise<Record<Currency, PartnerBalance>> {
  const [unsettled, { amounts }, heldUntil, arrivedCents] = await Promise.all([
    unsettledCommissionsOfPartner(table, program.id, partnerId),
    countsOf(table, { of: 'partner', programId: program.id, partnerId }),
    payoutsHeldUntil({ table }, program, partnerId),
    paidLinesCents(table, program.id, partnerId),
  ]);
  const asRead = unsettled.map((commission) => unsettledAt(commission, program, now));
  const paid = Object.entries(amounts).filter(([, { paidOutCents }]) => paidOutCents !== 0);
  const paidCents = Object.fromEntries(paid.map(([currency, { paidOutCents }]) => [currency, paidOutCents]));
  return balancesOf(program, asRead, { paidCents, arrivedCents, heldUntil, now });
}
