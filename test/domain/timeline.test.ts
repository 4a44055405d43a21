import { expect, it } from 'vitest';
import type { Customer } from '#lib/domain/customer.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { timelineOf } from '#lib/domain/timeline.ts';

const at = '2026-11-20T15:00:00.000Z';
const sale: Sale = {
  id: 1,
  programId: 1,
  transactionId: 't',
  amountCents: 4900,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source: 'api',
  occurredAt: at,
  createdAt: at,
  commissionState: 'notDue',
  refundedCents: 0,
};
const lead = { id: 2, clickId: 'clk_1', programId: 1, shortLink: 'ana', mode: 'server', createdAt: at } as const;

it('dates a settled lead without customer by its row', () => {
  const timeline = timelineOf({ sale, clicks: [], refunds: [], lead: { ...lead, state: 'settled' } });
  expect(timeline.filter(({ kind }) => kind === 'lead')).toEqual([
    { at, kind: 'lead', text: 'Lead confirmed by your server' },
  ]);
});

it('shows a lead that was never settled as provisional', () => {
  const timeline = timelineOf({ sale, clicks: [], refunds: [], lead: { ...lead, state: 'provisional' } });
  expect(timeline.filter(({ kind }) => kind === 'lead').map(({ text }) => text)).toEqual(['Provisional lead recorded']);
});

it('names a link without its partner where the partner is not known', () => {
  const click = { id: 3, at, shortLink: 'ana', partnerId: 5, isFirst: true };
  expect(timelineOf({ sale, clicks: [click], refunds: [] })[0]?.text).toBe('First click through link ana');
});

it('shows that a customer was unlinked even if the reason was erased with the person', () => {
  const customer = { clickId: 'clk_1', programId: 1, unlinkedAt: at } as Customer;
  expect(timelineOf({ sale, clicks: [], refunds: [], customer }).map(({ text }) => text)).toContain(
    'Customer unlinked by an owner',
  );
});
