import type { Answer, Api } from '#lib/apps/web/api.ts';
import type { Period } from '#lib/apps/web/period.ts';
import type { Partner, PartnerAmounts } from '#lib/wire/partners/partner.ts';

const SHOWN = 10;
/** The longest page of the API. */
const COMPARED = 100;

/** The partners with the most revenue in a currency. */
export interface BestPartners {
  readonly partners: readonly Partner[];
  readonly currency: string;
  /** Which partners were compared, where it was not all. */
  readonly note?: string;
}

interface Wanted {
  readonly period: Period;
  readonly currency: string;
  /** The program's own: the API ranks by revenue in it. */
  readonly programCurrency: string;
}

/** An amount of a partner in a currency, in its smallest unit. */
export const amountOf = (
  { amounts }: Partner,
  amount: 'revenue_cents' | 'commission_cents',
  currency: string,
): number => new Map<string, PartnerAmounts>(Object.entries(amounts)).get(currency)?.[amount] ?? 0;

/** In another currency than the program's, those with the most sales are compared. @throws ApiError */
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
  // Some who never were partners may stand before partners who sold nothing.
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

/** Whom the brand added earns before they have accepted; who left and is invited again has earned. */
const hasBeenPartner = ({ joined_at: joinedAt, status }: Partner): boolean =>
  joinedAt !== null || status === 'active' || status === 'removed';

/** The API sorts as many. */
const MOST_SORTED = 1_000;
