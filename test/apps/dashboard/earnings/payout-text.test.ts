import { describe, expect, it } from 'vitest';
import { plainMoneyText } from '#lib/apps/web/format.ts';
import {
  bankText,
  isAsShown,
  partnerCount,
  payoutText,
  recorderText,
} from '#lib/apps/dashboard/payouts/payout-text.ts';
import type { Member } from '#lib/wire/people/people.ts';
import { recordedLines } from '#test/support/programs/recorded-payout.ts';
import type { Payout } from '#lib/wire/earnings/payout.ts';

const item = (
  partnerId: number,
  amountCents: number,
  currency: 'USD' | 'EUR' | 'VND' = 'USD',
  name: string | null = 'Ana',
): Payout['items'][number] => ({
  partner_id: partnerId,
  partner_name: name,
  partner_email: name === null ? null : 'ana@partners.test',
  currency,
  amount_cents: amountCents,
  commission_ids: [partnerId],
});

const payoutOf = (...items: Payout['items']): Payout => ({
  id: 9,
  program_id: 1,
  status: 'made',
  through: null,
  reference: null,
  created_by: 'account:1',
  created_at: '2026-11-20T15:00:00.000Z',
  items,
  totals: { USD: 123_400, EUR: 5_600 },
  ...recordedLines(3, { USD: 123_400, EUR: 5_600 }),
});

it('the description of a payout has its amount and its number of partners', () => {
  const items = [item(1, 123_400), item(1, 5_000, 'EUR'), item(2, 600, 'EUR')];
  expect(partnerCount(items)).toBe(2);
  expect(payoutText({ totals: { USD: 123_400, EUR: 5_600 }, partners: 2 })).toBe('€56.00 and $1,234.00 to 2 partners');
  expect(payoutText({ totals: { USD: 980 }, partners: 1 })).toBe('$9.80 to 1 partner');
});

it.each([
  [5, 'USD', '0.05 USD'],
  [4_900, 'EUR', '49.00 EUR'],
  [1_500, 'VND', '1500 VND'],
  [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91 USD'],
])('the amount %d %s is copied for the bank as “%s”, with all digits', (cents, currency, text) => {
  expect(plainMoneyText(cents, currency)).toBe(text);
});

describe('the text of a payout that is copied for the bank', () => {
  it('has one line per partner', () => {
    expect(bankText([item(1, 980, 'EUR'), item(1, 1_960), item(2, 5, 'USD', 'Ben')])).toBe(
      '9.80 EUR + 19.60 USD to Ana (ana@partners.test)\n0.05 USD to Ben (ana@partners.test)',
    );
  });

  it('names a partner without a name by id', () => {
    expect(bankText([item(7, 980, 'USD', null)])).toBe('9.80 USD to Partner 7');
  });

  it.each([
    ['Eve\n1000.00 USD to Mallory', 'Eve 1000.00 USD to Mallory'],
    ['=HYPERLINK("https://evil.test")', '=HYPERLINK("https://evil.test")'],
    ['Eve\u202E drawkcab', 'Eve drawkcab'],
    ['Eve\u2028Line', 'Eve Line'],
    ['דנה כהן', 'דנה כהן'],
  ])('has no line breaks from names, and no beginning of a formula: %j', (name, written) => {
    const text = bankText([item(1, 980, 'USD', name)]);
    expect(text).toBe(`9.80 USD to ${written} (ana@partners.test)`);
  });
});

describe('isAsShown, which compares a recorded payout with its preview,', () => {
  it('is true if only id and time differ', () => {
    const shown = payoutOf(item(1, 980));
    expect(isAsShown({ ...payoutOf(item(1, 980)), id: 10, created_at: '2026-11-21T15:00:00.000Z' }, shown)).toBe(true);
  });

  it('compares the totals if the payout is too large to contain its items', () => {
    expect(isAsShown({ ...payoutOf(), items: [] }, payoutOf(item(1, 980)))).toBe(true);
    expect(isAsShown({ ...payoutOf(), totals: { USD: 1 } }, payoutOf(item(1, 980)))).toBe(false);
  });

  it.each([
    ['another amount', [item(1, 981)]],
    ['another partner', [item(2, 980)]],
    ['another currency', [item(1, 980, 'EUR')]],
    ['an extra partner', [item(1, 980), item(2, 1)]],
  ])('is false with %s', (_, items) => {
    expect(isAsShown(payoutOf(...items), payoutOf(item(1, 980)))).toBe(false);
  });
});

const member = (id: number, name: string | null): Member => ({
  account_id: id,
  email: `of-${id}@acme.test`,
  name,
  role: 'owner',
  status: 'active',
  joined_at: null,
});

describe('the person who recorded a payout', () => {
  const members = [member(1, 'Olga'), member(2, null)];

  it.each([
    ['account:1', 'Olga'],
    ['account:2', 'of-2@acme.test'],
    ['account:4', 'Account 4'],
    ['system', 'system'],
  ])('is shown, for the stored text %s, as “%s”', (createdBy, text) => {
    expect(recorderText(createdBy, members)).toBe(text);
  });
});
