import { beforeAll, describe, expect, it } from 'vitest';
import { handler as status } from '#functions/cli/status.ts';
import { handler as readiness } from '#functions/programs/readiness.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A customer clicks, signs up and pays 49 dollars, half of which is refunded. The partner gets 20 percent. Later a bot
// uses the same link.

const world = openedWorld();
let own: OwnedBrand;
beforeAll(async () => {
  own = await ownedBrand(world);
  await soldTo(own, 'counted', { transaction_id: 'counted' });
  await send(refund, { key: own.key, body: { transaction_id: 'counted', refund_amount_cents: 2450 } });
  const body = { affiliate_url: own.affiliateUrl, user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
  await send(click, { body, at: new Date(NOW.getTime() + 60_000) });
  await counted(world);
});

const lastDay = { clicks: 1, leads: 1, sales: 1 };
const once = { ...lastDay, bot_clicks: 1, repeat_clicks: 0 };
const get = async (path: string) => (await own.owner.get(`${own.path}${path}`)).body.data;

// A rebuild of the counters gives the same result.
describe.each(['from the stream', 'from a rebuild'])('counter values %s are shown in', (how) => {
  beforeAll(async () => {
    if (how === 'from a rebuild') await operated(world, `metrics rebuild --program ${own.program.id}`);
  });

  it('the list of partners', async () => {
    const [partner] = await get('/partners');
    const amounts = { USD: { revenue_cents: 4900, commission_cents: 490, paid_out_cents: 0 } };
    expect(partner).toMatchObject({ ...once, amounts });
  });

  it('the list of links', async () => {
    const [link] = await get('/links');
    const amounts = { USD: { revenue_cents: 4900, commission_cents: 490 } };
    expect(link).toMatchObject({ ...once, amounts, last_clicked_at: NOW.toISOString() });
  });

  it.each([
    ['the program', () => ''],
    ['the partner', () => `/partners/${own.partner.id}`],
    ['the link', () => `/links/${own.shortLink}`],
  ])('the performance of %s for one day and for the whole period', async (_, of) => {
    const { days, totals } = await get(`${of()}/performance?from=2026-11-20&to=2026-11-20`);
    const amounts = {
      USD: {
        revenue_cents: 4900,
        refunded_cents: 2450,
        commission_cents: 490,
        rejected_cents: 0,
        platform_fee_cents: 86,
      },
    };
    expect(days).toEqual([{ date: '2026-11-20', ...once, amounts }]);
    expect(totals).toEqual({ ...once, amounts });
  });

  it('the readiness check of the program', async () => {
    const { body } = await send(readiness, { method: 'GET', key: own.key });
    expect(body).toMatchObject({ state: 'live_verified', counts_24h: lastDay });
  });

  it.each([
    ['while its hold lasts', true, NOW, 1],
    ['no longer once its hold is over', true, new Date('2026-12-05T15:00:00.000Z'), 0],
    ['forever without automatic approval', false, new Date('2026-12-05T15:00:00.000Z'), 1],
  ])('the status of the program, where a commission counts as pending %s', async (_, autoApprove, at, pending) => {
    await own.owner.patch(own.path, { auto_approve: autoApprove });
    const { body } = await send(status, { method: 'GET', key: own.key, at });
    expect(body.data.pending_commissions).toBe(pending);
  });

  it('the status of the program, for the last 24 hours', async () => {
    const { body } = await send(status, { method: 'GET', key: own.key });
    expect(body.data.recent_events).toEqual({ clicks_24h: 1, leads_24h: 1, sales_24h: 1 });
  });
});
