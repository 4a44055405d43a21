import { handler as click } from '#functions/track/click.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import {
  anotherPartner,
  browserLead,
  clicked,
  settledLead,
  signedUp,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

const at = (time: string) => ({ at: new Date(`2026-11-${time}.000Z`) });

/** A second partner, and the click ids of the customers who bought. */
export interface Journey {
  readonly ben: Omit<Brand, 'key'>;
  readonly customers: { readonly ofAna: string; readonly ofBen: string; readonly withoutPartner: string };
}

/**
 * Plays two days of a program that pays 20 percent: everything that counters count, and much that they do not count.
 * `countsOfJourney` returns the counters that are expected.
 */
export async function liveThroughJourney(world: World, brand: Brand): Promise<Journey> {
  const ben = await anotherPartner(world, brand, 'Ben');
  const { key } = brand;
  const refunded = (transactionId: string, body: object, time: string) =>
    send(refund, { key, body: { transaction_id: transactionId, ...body }, ...at(time) });

  // Ana's customer comes twice, the second time through Ben's link. She signs up in the browser first; then the server
  // reports the same sign-up.
  const clickId = await clicked(brand, at('20T15:00:00'));
  await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId }, ...at('20T15:07:30') });
  await browserLead({ click_id: clickId }, at('20T15:59:59'));
  await settledLead(brand, { click_id: clickId, customer_key: 'ana-1' }, at('20T16:10:00'));

  // Two sales in dollars: one is refunded in part, the other in full. A third sale was paid two days earlier.
  const bought = { customer_key: 'ana-1' };
  await sold(brand, { transaction_id: 'usd-1', ...bought }, at('20T16:20:00'));
  await sold(brand, { transaction_id: 'usd-2', ...bought }, at('20T16:21:00'));
  await sold(brand, { transaction_id: 'usd-3', occurred_at: '2026-11-18T23:59:59Z', ...bought }, at('20T16:22:00'));
  await refunded('usd-1', { refund_amount_cents: 1000 }, '21T09:00:00');
  await refunded('usd-1', { refund_amount_cents: 2450 }, '21T09:01:00');
  await refunded('usd-2', { reason: 'chargeback' }, '21T09:02:00');

  // This renewal earns no commission. The euro sale of Ben's customer is approved and paid out.
  await sold(brand, { transaction_id: 'renewal', is_recurring: true, ...bought }, at('21T09:03:00'));
  const ofBen = await signedUp({ ...brand, ...ben }, 'ben-1', at('21T09:04:00'));
  await sold(
    brand,
    { transaction_id: 'eur-1', currency: 'EUR', amount_cents: 1000, customer_key: 'ben-1' },
    at('21T09:05:00'),
  );
  const { table } = world.deps();
  await table.update(keys.commission('eur-1'), { set: { status: 'approved' } });
  await table.update(keys.commission('eur-1'), { set: { status: 'paid', paidOutCents: 200 } });

  // The sale of a customer without partner is stored, although the reply refuses it.
  const orphan = await clicked(brand, at('21T10:00:00'));
  await unlinkPartner(world, brand, orphan);
  await send(sale, {
    key,
    body: { transaction_id: 'orphan', amount_cents: 500, click_id: orphan },
    ...at('21T10:01:00'),
  });

  // Test events. Each is of a kind of which there is a real event above.
  const additional_data = { test_mode: true };
  await send(click, { key, body: { affiliate_url: brand.affiliateUrl, additional_data }, ...at('21T11:00:00') });
  await send(sale, { key, body: { transaction_id: 'test', amount_cents: 700, additional_data }, ...at('21T11:01:00') });
  await refunded('test', {}, '21T11:02:00');
  return { ben, customers: { ofAna: clickId, ofBen, withoutPartner: orphan } };
}

/** The expected counters after the journey. */
export const countsOfJourney = (brand: Brand, { ben, customers }: Journey) => {
  const { program, partner, shortLink } = brand;
  return {
    ...countsOfLinks(shortLink, ben.shortLink),
    [`CUSTOMER#${customers.ofAna}`]: {
      revenueUSD: 4 * 4900,
      refundedUSD: refundsOfAna.refundedUSD,
      commissionUSD: 3 * 980 + refundsOfAna.commissionUSD,
    },
    [`CUSTOMER#${customers.ofBen}`]: { revenueEUR: 1000, commissionEUR: 200 },
    [`CUSTOMER#${customers.withoutPartner}`]: { revenueUSD: 500 },
    [`PARTNER#${program.id}#${partner.id}`]: withTotals({
      '2026-11-18': { sales: 1, revenueUSD: 4900, commissionUSD: 980, platformFeeUSD: 172 },
      '2026-11-20': { clicks: 1, leads: 1, sales: 2, revenueUSD: 9800, commissionUSD: 1960, platformFeeUSD: 344 },
      // A sale that is refunded in full no longer counts for tiers, hence -1.
      '2026-11-21': { sales: 1, revenueUSD: 4900, tierSales: -1, ...refundsOfAna },
    }),
    [`PARTNER#${program.id}#${ben.partner.id}`]: {
      ...withTotals({ '2026-11-20': { clicks: 1 }, '2026-11-21': { clicks: 1, leads: 1, ...saleOfBen } }),
      paidOutEUR: 200,
    },
    [`PROGRAM#${program.id}`]: {
      ...withTotals({
        '2026-11-18': { sales: 1, revenueUSD: 4900, commissionUSD: 980, platformFeeUSD: 172 },
        '2026-11-20': { clicks: 2, leads: 1, sales: 2, revenueUSD: 9800, commissionUSD: 1960, platformFeeUSD: 344 },
        '2026-11-21': {
          ...refundsOfAna,
          ...saleOfBen,
          clicks: 2,
          leads: 1,
          sales: 3,
          revenueUSD: 5400,
        },
        '2026-12-05': { pending: 2 },
      }),
      'clicks@2026-11-20T15:00': 1,
      'clicks@2026-11-20T15:07': 1,
      'leads@2026-11-20T15:59': 1,
      'sales@2026-11-20T16:20': 1,
      'sales@2026-11-20T16:21': 1,
      'sales@2026-11-20T16:22': 1,
      'sales@2026-11-21T09:03': 1,
      'clicks@2026-11-21T09:04': 1,
      'leads@2026-11-21T09:04': 1,
      'sales@2026-11-21T09:05': 1,
      'clicks@2026-11-21T10:00': 1,
      'sales@2026-11-21T10:01': 1,
      'pending@2026-12-05T16:20': 1,
      'pending@2026-12-05T16:22': 1,
    },
  };
};

const refundsOfAna = { refundedUSD: 2450 + 4900, commissionUSD: -490 - 980, platformFeeUSD: -86 - 172 };
const saleOfBen = { sales: 1, revenueEUR: 1000, commissionEUR: 200, platformFeeEUR: 35 };

const countsOfLinks = (ana: string, ben: string) => ({
  [`LINK#${ana}`]: {
    ...withTotals({
      '2026-11-18': { sales: 1, revenueUSD: 4900, commissionUSD: 980, platformFeeUSD: 172 },
      '2026-11-20': { clicks: 1, leads: 1, sales: 2, revenueUSD: 9800, commissionUSD: 1960, platformFeeUSD: 344 },
      // These counts include the customer without partner.
      '2026-11-21': { clicks: 1, sales: 2, revenueUSD: 5400, ...refundsOfAna },
    }),
    lastClickedAt: '2026-11-21T10:00:00.000Z',
  },
  [`LINK#${ben}`]: {
    ...withTotals({ '2026-11-20': { clicks: 1 }, '2026-11-21': { clicks: 1, leads: 1, ...saleOfBen } }),
    lastClickedAt: '2026-11-21T09:04:00.000Z',
  },
});

/** Returns counts by day, and their totals over all days. */
export function withTotals(days: Readonly<Record<string, Readonly<Record<string, number>>>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [day, ofDay] of Object.entries(days)) {
    for (const [what, count] of Object.entries(ofDay)) {
      counts[`${what}@${day}`] = count;
      counts[what] = (counts[what] ?? 0) + count;
    }
  }
  return counts;
}
