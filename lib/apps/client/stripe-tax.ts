export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The tax in the total of a checkout; undefined where it is not told. */
export const taxOfSession = ({ amount_total: total, total_details: details }: Fields): number | undefined =>
  partOf(fields(details).amount_tax, total);

/** The tax in the paid amount of an invoice: where a customer's balance paid the rest, in the ratio of paid to total. */
export function taxOfInvoice(invoice: Fields): number | undefined {
  const { amount_paid: paid, total = paid } = invoice;
  const tax = partOf(taxOfTotal(invoice), total);
  return tax === undefined || !isPositive(paid) || !isPositive(total) ? undefined : proportionOf(tax, paid, total);
}

/** Since API version 2025-03-31 a list of taxes, before that their sum. */
const taxOfTotal = ({ total_taxes: taxes, tax }: Fields): unknown =>
  Array.isArray(taxes) ? taxes.reduce<number>((sum, one) => sum + integerIn(fields(one).amount), 0) : tax;

const integerIn = (value: unknown): number => (isInteger(value) ? value : Number.NaN);
const isInteger = (value: unknown): value is number => Number.isInteger(value);
const isPositive = (value: unknown): value is number => isInteger(value) && value > 0;

/** A tax, if it can be a part of the total. */
const partOf = (tax: unknown, total: unknown): number | undefined =>
  isInteger(tax) && isInteger(total) && tax >= 0 && tax <= total ? tax : undefined;

/** `amount` × `part` ÷ `whole`, half up, without floating point. */
const proportionOf = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
