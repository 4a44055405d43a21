import type { ShownRefund } from '#lib/apps/dashboard/sale/shown-refund.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

export interface SaleOfCustomer {
  readonly sale: CustomerHistory['sales'][number];
  readonly commission?: Commission;
}

type Story = Pick<CustomerHistory, 'sales' | 'refunds' | 'commissions'>;

export function salesOf({ sales, commissions }: Pick<Story, 'sales' | 'commissions'>): SaleOfCustomer[] {
  const bySale = new Map(commissions.map((commission) => [commission.sale_id, commission]));
  return sales.map((sale) => ({ sale, commission: bySale.get(sale.id) }));
}

/** The customer's refunds, each with the currencies of its sale and of that sale's commission. */
export function shownRefundsOf(story: Story): ShownRefund[] {
  const bySale = new Map(salesOf(story).map((one) => [one.sale.id, one]));
  return story.refunds.flatMap((refund) => {
    const of = bySale.get(refund.sale_id);
    return of ? [{ ...refund, currency: of.sale.currency, commissionCurrency: of.commission?.currency }] : [];
  });
}
