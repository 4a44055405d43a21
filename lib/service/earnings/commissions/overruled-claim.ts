import type { ResolvedBy, SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';

/**
 * The partner who loses a payment that another identifier or code would have given them, for the record. Undefined if
 * that partner is the winner, or if there is none.
 */
export const overruledClaim = (
  winnerId: number | undefined,
  { partnerId, by }: { readonly partnerId?: number; readonly by: ResolvedBy },
): SaleAttribution['overruled'] => (partnerId === undefined || partnerId === winnerId ? undefined : { partnerId, by });

// These functions handle a payment whose customer was found by e-mail address alone, while another identifier of the
// payment points to another partner's customer, who has not bought yet. By specification the address decides; the
// commission is then flagged for review by a person.

/** The identifiers of a payment that can contradict its e-mail address. */
const named = {
  processor_customer: 'an earlier payment of the payer',
  customer_key: 'the customer key of the payment',
  click_id: 'the click of the checkout',
} as const;
type Contradiction = keyof typeof named;

/** A customer, and the identifier of the payment by which it was found. */
interface Claimed {
  readonly customer: { readonly partnerId?: number };
  readonly resolvedBy: ResolvedBy;
  readonly isClaimed?: true;
}

/** The first claim of a customer of another partner. Customers named only by a browser are ignored. */
export const contradictionOf = (
  { partnerId }: Claimed['customer'],
  others: readonly Claimed[],
): SaleAttribution['overruled'] =>
  others
    .filter(({ isClaimed }) => !isClaimed)
    .map(({ customer, resolvedBy: by }) => overruledClaim(partnerId, { partnerId: customer.partnerId, by }))
    .find((claim) => claim !== undefined);

/** An identifier that names another partner's customer than the e-mail address does. Undefined if there is none. */
export const contradictedBy = ({
  isByAddressAlone,
  overruled,
}: Pick<SaleAttribution, 'isByAddressAlone' | 'overruled'>): Contradiction | undefined =>
  isByAddressAlone && overruled && !overruled.isLate && isContradiction(overruled.by) ? overruled.by : undefined;

const isContradiction = (by: ResolvedBy): by is Contradiction => by in named;

/** The evidence text of the commission's flag. */
export const addressEvidence = (by: Contradiction | undefined): string =>
  by === undefined
    ? 'The e-mail address alone identified the customer: no click or customer key did, in this payment or an earlier one'
    : `The e-mail address alone identified the customer, and ${named[by]} belongs to a customer of another partner`;

/** Explains why the payment was not attributed to the other partner's customer. */
function contradictionText(by: Contradiction, resolvedBy: ResolvedBy, partnerName: string): string {
  const reason =
    resolvedBy === 'email' ? 'the e-mail address takes precedence' : 'an e-mail address had bound the payer before';
  const [first = '', ...rest] = named[by];
  return `${first.toUpperCase()}${rest.join('')} belongs to a customer of ${partnerName}, but it did not count, because ${reason}, and that customer had not bought`;
}

const claimTexts = {
  processor_customer: 'The processor’s customer',
  customer_key: 'The customer key',
  click_id: 'The guest',
} as const;

/**
 * Explains why the payment was not attributed to another partner, to whom another identifier pointed. Undefined if
 * there is no such partner, if a coupon code was involved, or if that identifier came after the sale was recorded.
 */
export function overruledClaimText(
  attribution: Pick<SaleAttribution, 'resolvedBy' | 'overruled' | 'isByAddressAlone'>,
  partner: Pick<Partner, 'name'> | undefined,
): string | undefined {
  const { resolvedBy, overruled } = attribution;
  if (!overruled || overruled.isLate || overruled.by === 'code' || resolvedBy === 'code') return undefined;
  const name = partner?.name ?? `partner ${overruled.partnerId}`;
  const contradiction = contradictedBy(attribution);
  if (contradiction) return contradictionText(contradiction, resolvedBy, name);
  return overruled.by === 'email'
    ? `The e-mail address of the payment belongs to a customer of ${name}, but it did not count, because the payer had bought before`
    : `${claimTexts[overruled.by]} of the payment belongs to a customer of ${name} who had bought before, but it did not count, because the payment names a click itself`;
}
