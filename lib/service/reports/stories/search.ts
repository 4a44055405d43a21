import type { Code } from '#lib/service/programs/links/code.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { moneyText } from '#lib/service/ground/values/money.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

export const MOST_RESULTS = 50;

export const resultKinds = ['sale', 'customer', 'partner', 'link', 'code'] as const;

/** A search result as shown in a list. */
export interface SearchResult {
  readonly kind: (typeof resultKinds)[number];
  /** The id in the URL of the page to which the result leads. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

const dayOf = (time: string): string => time.slice(0, 10);

export const saleResult = ({ transactionId, isTest, amountCents, currency, createdAt }: Sale): SearchResult => ({
  kind: 'sale',
  id: transactionId,
  label: transactionId,
  detail: `${isTest ? 'Test sale' : 'Sale'} of ${moneyText(amountCents, currency)} on ${dayOf(createdAt)}`,
});

const statusTexts = { click: 'Clicked', lead: 'Lead', conversion: 'Paying' } as const;

export const customerResult = ({
  clickId,
  customerKey,
  email,
  status,
  firstClickAt,
  source,
  code,
}: Customer): SearchResult => ({
  kind: 'customer',
  id: clickId,
  label: customerKey ?? email?.masked ?? clickId,
  detail:
    source === 'code'
      ? `Came by code ${code} on ${dayOf(firstClickAt)}`
      : `${statusTexts[status]}, first click on ${dayOf(firstClickAt)}`,
});

export const partnerResult = ({ id, name, email }: Partner): SearchResult => ({
  kind: 'partner',
  id: String(id),
  label: name,
  detail: email ?? 'Closed account',
});

export const linkResult = ({ shortLink, destinationUrl }: ReferralLink): SearchResult => ({
  kind: 'link',
  id: shortLink,
  label: shortLink,
  detail: destinationUrl,
});

export const codeResult = ({ code, status }: Code, partnerName: string): SearchResult => ({
  kind: 'code',
  id: code,
  label: code,
  detail: `${status === 'active' ? 'Code' : 'Disabled code'} of ${partnerName}`,
});

/** The first of these results, without duplicates. */
export function firstResults(found: readonly SearchResult[]): SearchResult[] {
  const byResult = new Map(found.map((result) => [`${result.kind} ${result.id}`, result]));
  return [...byResult.values()].slice(0, MOST_RESULTS);
}
