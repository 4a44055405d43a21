import { countText } from '#lib/apps/web/format.ts';
import { MOST_SORTED } from '#lib/apps/web/lists/list.ts';
import type { Answer, Api } from '#lib/apps/web/api/api.ts';
import type { Period } from '#lib/apps/web/period.ts';
import type { PartnerAmounts, RankedPartner } from '#lib/wire/partners/partner.ts';

const SHOWN = 10;
/** Maximum number of rows in one reply of the API. */
const MOST = 100;

/** The partners with the most revenue in a currency. */
export interface BestPartners {
  readonly partners: readonly RankedPartner[];
  readonly currency: string;
  /** Says which partners were compared, if there are too many to compare all. */
  readonly note?: string;
}

interface Wanted {
  readonly period: Period;
  readonly currency: string;
}

type Amounts = Readonly<Record<string, PartnerAmounts>>;

/** Returns one kind of amount in one currency, in the smallest unit of the currency. */
export const amountOf = (
  { amounts }: { readonly amounts: Amounts },
  amount: 'revenue_cents' | 'commission_cents',
  currency: string,
): number => new Map(Object.entries(amounts)).get(currency)?.[amount] ?? 0;

/**
 * Loads the partners with the most revenue. If the period has a first and a last day, also loads their ranks in the
 * period before it.
 * @throws ApiError
 */
export async function loadBestPartners(
  api: Api,
  path: string,
  { period: { from, to }, currency }: Wanted,
): Promise<BestPartners> {
  const compare = from !== undefined && to !== undefined ? 'previous' : undefined;
  const ask = (limit: number): Promise<Answer<readonly RankedPartner[]>> =>
    api.answer(`${path}/partners`, { from, to, sort: 'revenue', currency, compare, limit });
  let found = await ask(SHOWN);
  // The first rows may include people who never were partners. They are left out, so more rows are needed.
  if (found.meta?.next_cursor && !found.data.every(hasBeenPartner)) found = await ask(MOST);
  const { data, meta } = found;
  const isCut = (meta?.sorted_of ?? 0) > MOST_SORTED;
  return {
    partners: data.filter(hasBeenPartner).slice(0, SHOWN),
    currency,
    ...(isCut && { note: `The best of your first ${countText(MOST_SORTED)} partners.` }),
  };
}

/**
 * Whether a person is a partner or was one. A partner whom the brand added earns already before accepting; one who left
 * and is invited again has earned earlier.
 */
const hasBeenPartner = ({ joined_at: joinedAt, status }: RankedPartner): boolean =>
  joinedAt !== null || status === 'active' || status === 'removed';

/** Describes how a rank differs from the previous period's: `up 2`, `down 1`, `new`; empty if it is the same. */
export function rankChange({ rank, previous }: Pick<RankedPartner, 'rank' | 'previous'>): string {
  if (rank == null || previous === undefined) return '';
  if (previous.rank === null) return 'new';
  const up = previous.rank - rank;
  return up === 0 ? '' : `${up > 0 ? 'up' : 'down'} ${Math.abs(up)}`;
}
