import { decimalsOf } from '#lib/apps/web/decimals.ts';
import { moneyText, percentText } from '#lib/apps/web/format.ts';
import type { Commission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import type { Program } from '#lib/wire/programs/program.ts';

type Paying = Pick<Commission, 'status' | 'payable_cents' | 'paid_out_cents' | 'currency'>;
type Minimum = Pick<Program, 'minimum_payout_cents' | 'currency'>;

export interface Due {
  readonly name: 'To be paid' | 'To be taken back';
  readonly cents: number;
  /** When the amount becomes due, or on which condition. */
  readonly text: string;
}

const waiting: Partial<Readonly<Record<Paying['status'], string>>> = {
  held: 'once it is released and approved',
  pending: 'once it is approved',
};

/** What of a commission is still due or must be taken back; undefined if nothing. */
export function dueOf(commission: Paying, minimum: Minimum): Due | undefined {
  const { status, payable_cents: payable, paid_out_cents: paid } = commission;
  const cents = payable - paid;
  if (status === 'rejected' || cents === 0) return undefined;
  if (cents < 0) return { name: 'To be taken back', cents: -cents, text: 'by the next payout to this partner' };
  return {
    name: 'To be paid',
    cents,
    text: waiting[status] ?? payoutText(commission, minimum),
  };
}

const payoutText = ({ currency }: Paying, { minimum_payout_cents: least, currency: itsCurrency }: Minimum): string =>
  least === 0 || currency !== itsCurrency
    ? 'with the next payout'
    : `with the next payout, if at least ${moneyText(least, currency)} is due to the partner`;

type Terms = Pick<SaleCommission, 'commission_type' | 'commission_rate' | 'currency'>;

type Taxed = Pick<ExplainedSale['sale'], 'amount_cents' | 'base_cents' | 'currency'>;

/** Explains how the amount was computed: `20% of the sale`. A fixed amount is in the commission's currency. */
export function rateText(terms: Terms, sale: Taxed): string {
  const { commission_type: type, commission_rate: rate } = terms;
  if (!type.endsWith('percent')) {
    return `a fixed amount of ${moneyText(rate * 10 ** decimalsOf(terms.currency), terms.currency)}`;
  }
  const { amount_cents: amount, base_cents: base, currency } = sale;
  return base === amount
    ? `${percentText(rate)} of the sale`
    : `${percentText(rate)} of ${moneyText(base, currency)}, the sale without its tax`;
}

type Fee = SaleCommission['platform_fee'];

/** The operator's fee that remains after refunds. */
export const feeCents = ({ amount_cents: amount, reduced_cents: reduced }: Fee): number => amount - reduced;

type Charged = Pick<SaleCommission, 'status' | 'held_at' | 'released_at'> & { readonly platform_fee: Fee };

/** Says from which amount the fee was computed, and whether the operator charges it. */
export function feeText({ status, held_at: heldAt, released_at: releasedAt, platform_fee: fee }: Charged): string {
  const share = `${bpsText(fee.bps)} of the sale${fee.reduced_cents > 0 ? ', less the refunded part' : ''}.`;
  if (status === 'held') {
    return `${share} The operator of this service charges it to you only once the commission is released.`;
  }
  if (status === 'rejected' && heldAt !== null && releasedAt === null) {
    return `${share} It is not charged to you: the commission was rejected while it was held for review.`;
  }
  return `${share} The operator of this service charges it to you; the partner’s commission is not reduced by it.`;
}

/** Formats a rate: `3.5%`. @param bps basis points, which are hundredths of a percent */
export const bpsText = (bps: number): string => percentText(bps / 100);
