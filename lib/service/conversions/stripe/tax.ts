import { proportionOf } from '#lib/service/ground/values/money.ts';
import { amountFromStripe, amountOf, currencyOf } from '#lib/service/conversions/stripe/amount.ts';
import { type Fields, fields, list } from '#lib/service/conversions/stripe/event-fields.ts';

/** The tax in the total of a checkout session. Undefined if it is unknown. */
export const taxOfSession = (session: Fields): number | undefined =>
  taxIn(session, fields(session.total_details).amount_tax, amountOf(session, 'amount_total'));

/**
 * The tax in the paid amount of an invoice. Undefined if it is unknown. If credit from the customer's balance pays a
 * part of the total, the same share of the tax is left out.
 */
export function taxOfInvoice(invoice: Fields): number | undefined {
  const paidCents = amountOf(invoice, 'amount_paid');
  if (paidCents <= 0) return undefined;
  const totalCents = amountOf(invoice, 'total') || paidCents;
  const taxCents = taxIn(invoice, taxOfTotal(invoice), totalCents);
  return taxCents === undefined ? undefined : proportionOf(taxCents, paidCents, totalCents);
}

/** Since API version 2025-03-31 this is a list of taxes; before, it was their sum. */
const taxOfTotal = ({ total_taxes: taxes, tax }: Fields): unknown =>
  Array.isArray(taxes)
    ? list(taxes).reduce((sum, { amount }) => sum + (typeof amount === 'number' ? amount : Number.NaN), 0)
    : tax;

/** A tax amount as Stripe sent it. Undefined if it is invalid or exceeds the total. */
function taxIn(object: Fields, sent: unknown, totalCents: number): number | undefined {
  if (!Number.isInteger(sent)) return undefined;
  const cents = amountFromStripe(sent, currencyOf(object));
  return cents >= 0 && cents <= totalCents ? cents : undefined;
}
