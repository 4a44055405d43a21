import { leadOf, saleOf } from '#test/live/brand.ts';
import type { Request } from '#test/live/caller.ts';
import { buyerKeyOf, transactionIdOf, visitorClickIdOf } from '#test/bench/support/tables/names.ts';
import type { Operation } from '#test/bench/support/operations.ts';
import { brandNumberOf, type SeededTable } from '#test/bench/support/tables/seeded-table.ts';

/** A click, with the landing page as browsers report it. */
export const clickOf = ({ affiliateUrl }: { readonly affiliateUrl: string }): Request => ({
  path: '/api/v1/track/click',
  body: { affiliate_url: affiliateUrl, page_url: affiliateUrl, user_agent: 'Mozilla/5.0 (X11; Linux x86_64)' },
});

/**
 * Returns functions that create the next request of each kind. The brands take turns, and each request is of another
 * customer.
 */
export function requestsTo(
  { brands }: Pick<SeededTable, 'brands'>,
  customers: number,
): Readonly<Record<Operation, () => Request>> {
  let made = 0;
  const nextOf = (count: number): number => {
    const share = count / brands.length;
    const [brand, place] = [made % brands.length, Math.floor(made / brands.length)];
    made += 1;
    return brand * share + ((place * STRIDE) % share);
  };
  const sale = (n: number, transactionId: string): Request =>
    saleOf(brands[brandNumberOf(n, customers)]!, {
      transaction_id: transactionId,
      amount_cents: 4900,
      customer_key: buyerKeyOf(n),
    });
  let leads = 0;
  return {
    click: () => clickOf(brands[made++ % brands.length]!),
    lead: () => {
      const n = leads++;
      const body = { click_id: visitorClickIdOf(n), customer_key: `lead-${n}` };
      return leadOf(brands[0]!, body);
    },
    sale: () => sale(nextOf(customers), `bench-${made}`),
    'repeated sale': () => {
      const n = nextOf(customers);
      return sale(n, transactionIdOf(n));
    },
  };
}

/**
 * Customers are chosen in steps of this prime, so that consecutive ones are far apart, and all are used before one
 * repeats.
 */
const STRIDE = 7_919;
