import type { Currency } from '#lib/domain/currency.ts';
import { balancesOf, type PartnerBalance } from '#lib/domain/partner-balance.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { unsettledAt } from '#lib/domain/unsettled-commission.ts';
import type { Deps } from '#lib/service/deps.ts';
import { countsOf } from '#lib/service/store/counter-readings.ts';
import { unsettledCommissionsOfPartner } from '#lib/service/store/unsettled-commissions.ts';
import { payoutsHeldUntil } from '#lib/service/use-cases/held-partners.ts';

/**
 * What a partner has earned, by currency: told by the index, and by the counter what was paid. Both may miss what was
 * written some seconds ago.
 */
export async function tellBalance(
  { table, now }: Deps,
  program: Program,
  { id: partnerId }: Pick<Partner, 'id'>,
): Promise<Record<Currency, PartnerBalance>> {
  const [unsettled, { amounts }, heldUntil] = await Promise.all([
    unsettledCommissionsOfPartner(table, program.id, partnerId),
    countsOf(table, { of: 'partner', programId: program.id, partnerId }),
    payoutsHeldUntil({ table }, program, partnerId),
  ]);
  const asRead = unsettled.map((commission) => unsettledAt(commission, program, now));
  const paid = Object.entries(amounts).filter(([, { paidOutCents }]) => paidOutCents !== 0);
  const paidCents = Object.fromEntries(paid.map(([currency, { paidOutCents }]) => [currency, paidOutCents]));
  return balancesOf(program, asRead, { paidCents, heldUntil, now });
}
