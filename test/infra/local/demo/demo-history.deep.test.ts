import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteExpiredItems } from '#infra/local/database/expired-items.ts';
import { planSecondBrand } from '#infra/local/demo/demo-brands.ts';
import { planHistory, type Step } from '#infra/local/demo/demo-plan.ts';
import { calendarUntil } from '#infra/local/demo/demo-visitors.ts';
import type { Run } from '#infra/local/run/run-file.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import {
  amountsOf,
  BEING_MADE,
  type Body,
  COMPLETE,
  type Local,
  openDashboard,
  openPortal,
  operatorOf,
  patiently,
  progressOf,
  sum,
  sums,
  tableOf,
  untilComplete,
  untilPlayed,
} from '#test/infra/local/demo/living-demo.ts';
import { startLocal } from '#test/infra/local/run/local-process.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';

const countOf = (steps: readonly Step[], ...kinds: Step['kind'][]) =>
  steps.filter(({ kind }) => kinds.includes(kind)).length;

const dueOf = (commission: Body): number => commission.payable_cents - commission.paid_out_cents;

const disagree = () => Promise.reject(new Error('The counters do not agree with the events'));

/** A rebuild that must find no error, so it need not wait. @throws Error */
const agreeingDays = async (run: Run): Promise<number> =>
  (await rebuildMetrics(await operatorOf(run), 1, { wait: disagree, probes: 0 })).days;

// `demo-repeats.test.ts` tests without a process that every day can be repeated.
describe('a local run with the full demo, after an earlier run that ended during its creation,', () => {
  let folder: string;
  let local: Local;
  let steps: Step[];
  let second: Step[];
  let dashboard: Awaited<ReturnType<typeof openDashboard>>;
  let commissions: Body[];
  let saidBefore: string;
  const start = () => startLocal(folder, { DEMO: '1', DATA_DIR: join(folder, 'data') });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-history-'));
    local = await start();
    const { endsAt } = await progressOf(local.run);
    steps = planHistory(new Date(endsAt));
    second = planSecondBrand(calendarUntil(new Date(endsAt)));
    await untilPlayed(local, steps.length / 2);
    await local.end('SIGKILL');
    saidBefore = local.said();
    local = await start();
    await untilComplete(local);
    dashboard = await openDashboard(local.run);
    commissions = await dashboard.list('/commissions');
  }, 300_000);

  afterAll(async () => {
    await local.end();
    await rm(folder, { recursive: true });
  });

  it('reports at each start that the demo’s history is still being created', () => {
    expect(saidBefore).toContain(BEING_MADE);
    expect(saidBefore).not.toContain(COMPLETE);
    expect(local.said()).toContain(BEING_MADE);
  });

  it('has every click, lead, payment and payout of the planned history once', async () => {
    const items = await allItems(tableOf(local.run));
    const all = [...steps, ...second];
    // Items of a customer's list of sales have no id.
    const below = (sk: string) =>
      items.filter((item) => item.id !== undefined && String(item.sk).replace(/#.*/, '') === sk);
    expect({
      clicks: below('CUSTOMER').length + below('CLICK').length,
      leads: below('LEAD').length,
      sales: below('SALE').length,
      refunds: below('REFUND').length,
      byStripe: below('SALE').filter(({ source }) => source === 'processor').length,
      payouts: items.filter(({ pk, sk }) => String(pk).startsWith('PAYOUT#') && pk === sk).length,
    }).toEqual({
      clicks: countOf(all, 'click'),
      leads: countOf(all, 'lead'),
      sales: countOf(all, 'sale', 'payment'),
      refunds: countOf(all, 'refund'),
      byStripe: 1,
      payouts: countOf(all, 'payout'),
    });
    const ids = ['CUSTOMER', 'CLICK', 'LEAD', 'SALE', 'COMMISSION', 'REFUND'].flatMap(below).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await progressOf(local.run)).toMatchObject({ played: steps.length, isComplete: true });
    await expectNothingHalfWritten(tableOf(local.run));
  });

  it('has two brands with a logo and a color, both with the partner Ana', async () => {
    const partner = await openPortal(local.run, 'ana@partners.test');
    const { programs } = (await partner.get('/overview')).data;
    expect(programs.map(({ program_id, brand, link }: Body) => [program_id, brand.name, link.short_link])).toEqual([
      [2, 'Northwind Notes', 'ana-notes'],
      [1, 'Acme Pro', 'ana'],
    ]);
    const looks = await Promise.all(
      programs.map(async ({ brand }: Body) => {
        const { status, headers } = await fetch(`${local.run.base_url}${brand.logo_url}`);
        return { status, type: headers.get('content-type'), accent: brand.accent.light };
      }),
    );
    expect(looks).toEqual([
      { status: 200, type: 'image/png', accent: '#0f766e' },
      { status: 200, type: 'image/png', accent: '#c2410c' },
    ]);
    const [from, to] = [steps[0]!, steps.at(-1)!].map(({ at }) => at.toISOString().slice(0, 10));
    await vi.waitFor(async () => {
      const { totals } = (await partner.get(`/programs/2/performance?from=${from}&to=${to}`)).data;
      expect(totals).toMatchObject({ clicks: 40, leads: 20, sales: 10 });
    }, patiently);
  });

  it('has a coupon code with a discount, and payouts that are all sent except for the last one', async () => {
    const codes = await dashboard.list('/codes');
    expect(codes.map(({ code, discount, partner_id }) => [code, discount, partner_id])).toEqual([
      ['ANA10', '10% off the first month', 1],
    ]);
    const partner = await openPortal(local.run, 'ana@partners.test');
    const rows: Body[] = (await partner.get('/programs/1/payouts')).data;
    const [last] = await dashboard.list('/payouts');
    const isSent = (id: number) => id !== last.id;
    expect(rows.filter(({ id }) => isSent(id))).not.toEqual([]);
    expect(rows.map(({ status }) => status)).toEqual(rows.map(({ id }) => (isSent(id) ? 'sent' : 'recorded')));
  });

  it('has eight partners, one of them removed, and commissions with every status', async () => {
    const partners = await dashboard.list('/partners');
    expect(partners.map(({ id, name, status }) => [id, name, status])).toEqual([
      [1, 'Ana', 'active'],
      [2, 'Ben', 'active'],
      [3, 'Chloé Marchand', 'active'],
      [4, 'Søren Kjær', 'active'],
      [5, '田中 美咲', 'active'],
      [6, 'Nguyễn Thị Hoa', 'active'],
      [7, 'José Álvarez', 'active'],
      [8, 'Coupon Harbor', 'removed'],
    ]);
    // People who signed in have accepted, and share their payout details.
    expect(
      partners.map(({ has_account, joined_at, payout }) => [has_account, joined_at !== null, payout?.masked]),
    ).toEqual([
      [true, true, 'a***@ana-builds.test'],
      [true, true, undefined],
      [true, true, 'FR** **** 2606'],
      [true, true, 's***@kjaer.test'],
      [true, true, '****'],
      ...Array.from({ length: 3 }, () => [false, false, undefined]),
    ]);
    for (const { links, clicks } of partners) {
      expect(links.length).toBeGreaterThan(1);
      expect(clicks).toBeGreaterThan(0);
    }
    expect(new Set(commissions.map(({ status }) => status))).toEqual(
      new Set(['held', 'pending', 'approved', 'paid', 'rejected', 'reversed']),
    );
    expect(new Set(commissions.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR']));
    expect(commissions.filter(({ status }) => status === 'held')).toHaveLength(3);
    expect(commissions.filter(({ status, flags }) => status !== 'held' && flags.length > 0)).toHaveLength(2);
    const states = commissions.map(({ status, refund_state, reversal_reason, needs_review, paid_at }) => ({
      state: `${status}, ${refund_state}`,
      why: reversal_reason,
      needsReview: needs_review,
      wasPaid: paid_at !== null,
    }));
    expect(states).toContainEqual({ state: 'paid, partial', why: null, needsReview: true, wasPaid: true });
    expect(states).toContainEqual(
      expect.objectContaining({ state: 'reversed, full', why: 'chargeback', wasPaid: true }),
    );
    expect(states).toContainEqual(expect.objectContaining({ state: 'reversed, full', why: 'refund', wasPaid: false }));
  });

  it('has figures on its overview that equal the sums of its lists', async () => {
    const [from, to] = [steps[0]!, steps.at(-1)!].map(({ at }) => at.toISOString().slice(0, 10));
    const purchases = steps.flatMap((step) => ('purchase' in step ? step.purchase : []));
    const automatic = steps.filter(
      (step) => step.kind === 'click' && ['bot', 'preview'].includes(step.arrival?.quality ?? 'ok'),
    ).length;
    const counted = commissions.filter(({ status }) => status !== 'held');
    await vi.waitFor(async () => {
      const { totals, days } = (await dashboard.get(`/performance?from=${from}&to=${to}`)).data;
      expect(days).toHaveLength(60);
      expect(totals).toMatchObject({
        clicks: countOf(steps, 'click') - automatic,
        bot_clicks: automatic,
        leads: countOf(steps, 'lead'),
        sales: countOf(steps, 'sale', 'payment'),
      });
      expect(amountsOf(totals.amounts, 'revenue_cents')).toEqual(sums(purchases, (one) => one.amountCents));
      expect(amountsOf(totals.amounts, 'commission_cents')).toEqual(sums(counted, (one) => one.payable_cents));
      const partners = await dashboard.list('/partners');
      for (const name of ['clicks', 'leads', 'sales'])
        expect(sum(partners.map((partner) => partner[name]))).toBe(totals[name]);
    }, patiently);
  });

  it('has balances and payouts that equal its commissions', async () => {
    const owed = (await dashboard.get('/owed')).data;
    const of = (status: string) => commissions.filter((commission) => commission.status === status);
    expect(amountsOf(owed, 'pending_cents')).toEqual(sums(of('pending'), (one) => one.payable_cents));
    expect(amountsOf(owed, 'approved_cents')).toEqual(sums(of('approved'), dueOf));
    const payable = commissions.filter(({ status, paid_at }) => status === 'approved' || paid_at !== null);
    const groups = Object.values(Object.groupBy(payable, (one) => `${one.partner_id} ${one.currency}`));
    const dueNow = groups.filter((group) => sum(group!.map(dueOf)) > 0).flatMap((group) => group!);
    expect(amountsOf(owed, 'due_now_cents')).toEqual(sums(dueNow, dueOf));

    const payouts = await dashboard.list('/payouts');
    expect(payouts.map(({ status, reference, created_by }) => [status, reference, created_by])).toEqual([
      ['made', null, 'account:1'],
      ['made', 'SEPA batch 2', 'account:1'],
      ['made', null, 'account:1'],
    ]);
    const paid = payouts.flatMap(({ items }) => items);
    expect(sums(paid, (item) => item.amount_cents)).toEqual(sums(commissions, (one) => one.paid_out_cents));
  });

  it('has counters that equal its events, also after expired items are deleted', async () => {
    expect(await vi.waitFor(() => agreeingDays(local.run), patiently)).toBe(60);
    const { client, tableName } = tableOf(local.run);
    let position: Awaited<ReturnType<typeof deleteExpiredItems>>;
    do position = await deleteExpiredItems(client, tableName, new Date(), position);
    while (position);
    expect(await agreeingDays(local.run)).toBe(60);
    await expectNothingHalfWritten({ client, tableName });
  });

  it('has the same history after a restart', async () => {
    const before = await dashboard.list('/commissions');
    await local.end();
    local = await start();
    expect(local.said()).not.toContain(BEING_MADE);
    dashboard = await openDashboard(local.run);
    expect(await dashboard.list('/commissions')).toEqual(before);
    const items = await allItems(tableOf(local.run));
    expect(items.filter(({ sk }) => sk === 'LEAD')).toHaveLength(countOf([...steps, ...second], 'lead'));
  });
});
