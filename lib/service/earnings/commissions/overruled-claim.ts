import type { ResolvedBy, SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';

/** The claim that lost, unless it was the winner's own, or nobody's. */
export const overruledClaim = (
  winnerId: number | undefined,
  { partnerId, by }: { readonly partnerId?: number; readonly by: ResolvedBy },
): SaleAttribution['overruled'] => (partnerId === undefined || partnerId === winnerId ? undefined : { partnerId, by });

// An address alone names the customer of a payment, and something else that the payment names is of another partner's
// customer, who has not bought yet. By the order of the specification the address decides; then a person looks at it.

/** By which a payment can name another partner's customer than its address does. */
const named = {
  processor_customer: 'an earlier payment of the payer',
  customer_key: 'the customer key of the payment',
  click_id: 'the click of the checkout',
} as const;
type Contradiction = keyof typeof named;

/** A customer, and by what a payment names it. */
interface Claimed {
  readonly customer: { readonly partnerId?: number };
  readonly resolvedBy: ResolvedBy;
  readonly isClaimed?: true;
}

/** The first of these claims that is another partner's; what only a browser claimed contradicts nothing. */
export const contradictionOf = (
  { partnerId }: Claimed['customer'],
  others: readonly Claimed[],
): SaleAttribution['overruled'] =>
  others
    .filter(({ isClaimed }) => !isClaimed)
    .map(({ customer, resolvedBy: by }) => overruledClaim(partnerId, { partnerId: customer.partnerId, by }))
    .find((claim) => claim !== undefined);

/** What contradicts the address that alone found a customer; undefined = nothing does. */
export const contradictedBy = ({
  isByAddressAlone,
  overruled,
}: Pick<SaleAttribution, 'isByAddressAlone' | 'overruled'>): Contradiction | undefined =>
  isByAddressAlone && overruled && !overruled.isLate && isContradiction(overruled.by) ? overruled.by : undefined;

const isContradiction = (by: ResolvedBy): by is Contradiction => by in named;

/** For the flag of the commission. */
export const addressEvidence = (by: Contradiction | undefined): string =>
  by === undefined
    ? 'The e-mail address alone named the customer: no click or customer key did, nor an earlier payment with one'
    : `The e-mail address alone named the customer, and ${named[by]} names a customer of another partner`;

/** Why the claim of the other partner's customer did not count. */
export function contradictionText(by: Contradiction, resolvedBy: ResolvedBy, partnerName: string): string {
  const reason =
    resolvedBy === 'email' ? 'the e-mail address comes before it' : 'an e-mail address had bound the payer before';
  const [first = '', ...rest] = named[by];
  return `${first.toUpperCase()}${rest.join('')} is that of a customer of ${partnerName}: it did not count, because ${reason}, and that customer had not bought`;
}
