import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import { withLateTax } from '#lib/service/conversions/payments/late-tax.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { refundShareWrites, storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { changedSaleWrite, unchangedSaleCheck } from '#lib/service/conversions/sales/sales-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * A percentage commission is computed from the sale's base amount. If the sale and its commission disagree about it,
 * both get the lower amount, from which the tax is already subtracted.
 */
export async function checkRestoredBase(
  restored: RestoredProgram,
  sale: Sale,
  commission: SaleCommission,
): Promise<void> {
  const { baseAmountCents } = commission;
  if (baseAmountCents === baseCentsOf(sale)) return;
  const isSaleBehind = baseAmountCents < baseCentsOf(sale);
  const writes = isSaleBehind
    ? [changedSaleWrite(sale, { ...sale, taxCents: sale.amountCents - baseAmountCents, baseCents: baseAmountCents })]
    : await recalculationWrites(restored, sale, commission);
  await repair(restored, `sale ${sale.transactionId}: the base of its commission`, writes);
}

/** Writes that compute the commission again from the sale's tax, because a restore has lost this change. */
async function recalculationWrites(
  { deps: { table, now } }: RestoredProgram,
  sale: Sale,
  commission: SaleCommission,
): Promise<Write[]> {
  const { amountCents, currency, transactionId } = sale;
  const untaxed = { ...sale, taxCents: undefined, baseCents: amountCents };
  const report = { taxCents: amountCents - baseCentsOf(sale), amountCents, currency };
  const refunds = await storedRefundsOf(table, transactionId);
  const change = { actor: 'operator', at: now } as const;
  const taxed = withLateTax(untaxed, commission, report, refunds, change);
  return [
    unchangedSaleCheck(sale),
    changedCommissionWrite(commission, taxed.commission!),
    ...refundShareWrites(refunds, taxed.shares, commission.currency),
  ];
}
