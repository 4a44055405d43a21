import { proportionOf } from '#lib/service/ground/values/money.ts';
import { amountFromStripe, amountOf, currencyOf } from '#lib/service/conversions/stripe/amount.ts';
import { type Fields, fields, list } from '#lib/service/conversions/stripe/event-fields.ts';

/** The tax that is in the total of a checkout; undefined where it is not told. */
export const taxOfSession = (session: Fields): number | undefined =>
  taxIn(session, fields(session.total_details).amount_tax, amountOf(session, 'amount_total'));

/**
 * The tax that is in the paid amount of an invoice; undefined where it is not told. A customer's balance may pay a part
 * of the total, and the same part of the tax.
 */
export function taxOfInvoice(invoice: Fields): number | undefined {
  const paidCents = amountOf(invoice, 'amount_paid');
  if (paidCents <= 0) return undefined;
  const totalCents = amountOf(invoice, 'total') || paidCents;
  const taxCents = taxIn(invoice, taxOfTotal(invoice), totalCents);
  return taxCents === undefined ? undefined : proportionOf(taxCents, paidCents, totalCents);
}

/** Since API version 2025-03-31 a list of taxes, before that their sum. */
const taxOfTotal = ({ total_taxes: taxes, tax }: Fields): unknown =>
  Array.isArray(taxes)
    ? list(taxes).reduce((sum, { amount }) => sum + (typeof amount === 'number' ? amount : Number.NaN), 0)
    : tax;

/** A tax as sent; undefined for what cannot be a part of the total. */
function taxIn(object: Fields, sent: unknown, totalCents: number): number | undefined {
  if (!Number.isInteger(sent)) return undefined;
  const cents = amountFromStripe(sent, currencyOf(object));
  return cents >= 0 && cents <= totalCents ? cents : undefined;
}
