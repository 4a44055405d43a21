import { expect, it } from 'vitest';
import { balanceRows } from '#lib/apps/dashboard/partners/partner/balance-rows.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { OwedAmounts } from '#lib/wire/earnings/payout.ts';
import { withProgramTerms } from '#test/support/programs/commissions.ts';
import { addedByBrand } from '#test/support/programs/partners.ts';

const partner = (amounts: Partner['amounts']): Partner => ({
  id: 1,
  name: 'Ana',
  email: 'ana@partners.test',
  status: 'active',
  ...withProgramTerms({ name: 'Acme' }),
  links: [],
  clicks: 0,
  bot_clicks: 0,
  repeat_clicks: 0,
  leads: 0,
  sales: 0,
  amounts,
  payout: null,
  mail: 'ok',
  ...addedByBrand,
  created_at: '2026-11-20T15:00:00.000Z',
});
const paidOut = (cents: number | null) => ({ revenue_cents: 10, commission_cents: 2, paid_out_cents: cents });
const owed = (byDate: OwedAmounts['by_date'] = []): OwedAmounts => ({
  pending_cents: 1,
  approved_cents: 2,
  held_cents: 3,
  due_now_cents: 4,
  balance_cents: -5,
  by_date: byDate,
});
const open = { pending_cents: 1, approved_cents: 2, held_cents: 3, due_now_cents: 4, balance_cents: -5 };
const none = { pending_cents: 0, approved_cents: 0, held_cents: 0, due_now_cents: 0, balance_cents: 0 };

it('the balance of a partner has rows only for currencies in which something is due or was paid', () => {
  const amounts = { VND: paidOut(500), EUR: paidOut(0), USD: paidOut(7) };
  expect(balanceRows({ USD: owed() }, partner(amounts))).toEqual([
    { currency: 'USD', ...open, paid_out_cents: 7 },
    { currency: 'VND', ...none, paid_out_cents: 500 },
  ]);
});

it('the balance of a partner shows what is due, and nothing paid, while the partner is still loading', () => {
  expect(balanceRows({ USD: owed() })).toEqual([{ currency: 'USD', ...open, paid_out_cents: undefined }]);
});

it('the balance of a partner is empty if nothing is due and nothing was paid', () => {
  expect(balanceRows({}, partner({ USD: paidOut(0) }))).toEqual([]);
});
