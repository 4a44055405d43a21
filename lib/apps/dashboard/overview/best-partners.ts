import { MOST_SORTED } from '#lib/apps/web/lists/list.ts';
import type { Answer, Api } from '#lib/apps/web/api/api.ts';
import type { Period } from '#lib/apps/web/period.ts';
import type { Partner, PartnerAmounts } from '#lib/wire/partners/partner.ts';

const SHOWN = 10;
/** The API's maximum page size. */
const COMPARED = 100;

/** The partners with the most revenue in a currency. */
export interface BestPartners {
  readonly partners: readonly Partner[];
  readonly currency: string;
  /** Explains which partners were compared, if not all. */
  readonly note?: string;
}

interface Wanted {
  readonly period: Period;
  readonly currency: string;
  /** The program's currency, in which the API ranks revenue. */
  readonly programCurrency: string;
}

/** A partner's amount in a currency, in the currency's smallest unit. */
export const amountOf = (
  { amounts }: Partner,
  amount: 'revenue_cents' | 'commission_cents',
  currency: string,
): number => new Map<string, PartnerAmounts>(Object.entries(amounts)).get(currency)?.[amount] ?? 0;

/**
 * Loads the partners with the most revenue. For a currency other than the program's, only the partners with the most
 * sales are compared. @throws ApiError
 */
export async function loadBestPartners(
  api: Api,
  path: string,
  { period: { from, to }, currency, programCurrency }: Wanted,
): Promise<BestPartners> {
  const isProgramCurrency = currency === programCurrency;
  const order = isProgramCurrency ? { sort: 'revenue', limit: SHOWN } : { sort: 'sales', limit: COMPARED };
  const ask = (limit: number): Promise<Answer<readonly Partner[]>> =>
    api.answer(`${path}/partners`, { from, to, ...order, limit });
  let found = await ask(order.limit);
  // People who were never partners may be listed before partners without sales.
  if (order.limit < COMPARED && found.meta?.next_cursor && !found.data.every(hasBeenPartner))
    found = await ask(COMPARED);
  const { data, meta } = found;
  const partners = data
    .filter(hasBeenPartner)
    .toSorted((a, b) => amountOf(b, 'revenue_cents', currency) - amountOf(a, 'revenue_cents', currency))
    .slice(0, SHOWN);
  const notes = [
    !isProgramCurrency && meta?.next_cursor && `the ${COMPARED} partners with the most sales`,
    (meta?.sorted_of ?? 0) > MOST_SORTED && `your first ${MOST_SORTED.toLocaleString('en-US')} partners`,
  ].filter(Boolean);
  return { partners, currency, ...(notes.length > 0 && { note: `The best of ${notes.join(', of ')}.` }) };
}

/**
 * Whether a person is or was a partner. Partners whom the brand added earn before they accept; partners who left and
 * are invited again have earned before.
 */
const hasBeenPartner = ({ joined_at: joinedAt, status }: Partner): boolean =>
  joinedAt !== null || status === 'active' || status === 'removed';
