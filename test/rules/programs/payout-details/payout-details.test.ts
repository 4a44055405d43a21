import { describe, expect, it } from 'vitest';
import { bicOf, ibanOf } from '#lib/service/ground/parties/bank-account.ts';
import {
  accountOf,
  addressHoldUntil,
  heldUntilOf,
  holdUntil,
  isHeld,
  maskedPayoutDetails,
  type PayoutDetails,
  payoutDetailsText,
} from '#lib/service/programs/payout-details/payout-details.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');

const account = { method: 'bank', account_holder: 'Ana', routing_number: '021000021', country: 'US' } as const;

it.each<[PayoutDetails, string, string]>([
  [{ method: 'paypal', email: 'ana@example.com' }, 'a***@example.com', 'ana@example.com'],
  [{ method: 'wise', email: '😀@b@example.com' }, '😀***@example.com', '😀@b@example.com'],
  [
    { method: 'bank', account_holder: 'Ana', iban: 'DE89370400440532013000' },
    'DE** **** 3000',
    'Ana, IBAN DE89370400440532013000',
  ],
  [
    { method: 'wise', account_holder: 'Ana', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    'DE** **** 3000',
    'Ana, IBAN DE89370400440532013000, BIC COBADEFFXXX',
  ],
  [
    { ...account, account_number: '123456789', bic: 'CHASUS33' },
    '****6789',
    'Ana, account 123456789, routing number 021000021, US, BIC CHASUS33',
  ],
  [{ ...account, account_number: '123456789' }, '****6789', 'Ana, account 123456789, routing number 021000021, US'],
  [{ ...account, account_number: '12345678' }, '****', 'Ana, account 12345678, routing number 021000021, US'],
  [{ method: 'other', instructions: 'Cash,\nplease' }, '****', 'Cash,\nplease'],
])('the payout details %j are shown masked as %s, and in payouts as %j', (details, masked, text) => {
  expect(maskedPayoutDetails(details)).toBe(masked);
  expect(payoutDetailsText(details)).toBe(text);
});

describe('an IBAN', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['gb82west12345698765432', 'GB82WEST12345698765432'],
    ['NO93 8601 1117 947', 'NO9386011117947'],
    [' MT84MALT011000012345MTLCAST001S\t', 'MT84MALT011000012345MTLCAST001S'],
  ])('%j is normalised to %s', (sent, iban) => {
    expect(ibanOf(sent)).toBe(iban);
  });

  it.each([
    '',
    'DE88 3704 0044 0532 0130 00',
    'DE8937040044',
    'DE89-3704-0044-0532-0130-00',
    '8937040044053201300089',
    'DE89３704004405320130',
    `DE89${'0'.repeat(40)}`,
  ])('%j is refused', (sent) => {
    expect(ibanOf(sent)).toBeUndefined();
  });

  it('is refused if any one digit is changed', () => {
    const iban = 'DE89370400440532013000';
    for (let at = 2; at < iban.length; at++) {
      const other = String((Number(iban[at]) + 1) % 10);
      expect(ibanOf(iban.slice(0, at) + other + iban.slice(at + 1))).toBeUndefined();
    }
  });
});

it('after a change of payout details the partner’s payouts are on hold for exactly one day', () => {
  const heldUntil = holdUntil(NOW).toISOString();
  expect(heldUntil).toBe('2026-11-21T15:00:00.000Z');
  expect(isHeld({ heldUntil }, NOW)).toBe(true);
  expect(isHeld({ heldUntil }, new Date('2026-11-21T14:59:59.999Z'))).toBe(true);
  expect(isHeld({ heldUntil }, new Date(heldUntil))).toBe(false);
  expect(isHeld({}, NOW)).toBe(false);
});

it('payouts are on hold for one day after a change of details, and for three after a change of the e-mail address', () => {
  const [heldUntil, addressHeldUntil] = [holdUntil(NOW).toISOString(), addressHoldUntil(NOW).toISOString()];
  expect([heldUntil, addressHeldUntil]).toEqual(['2026-11-21T15:00:00.000Z', '2026-11-23T15:00:00.000Z']);
  expect(heldUntilOf({})).toBeUndefined();
  expect(heldUntilOf({ heldUntil })).toBe(heldUntil);
  expect(heldUntilOf({ addressHeldUntil })).toBe(addressHeldUntil);
  expect(heldUntilOf({ heldUntil, addressHeldUntil })).toBe(addressHeldUntil);
});

describe('the normalised text that identifies the account to which payout details pay', () => {
  it.each<[PayoutDetails, string | undefined]>([
    [{ method: 'paypal', email: 'Ana.B+shop@GMail.com' }, 'paypal anab@gmail.com'],
    [{ method: 'wise', email: 'ana.b@example.com' }, 'wise ana.b@example.com'],
    [{ method: 'bank', account_holder: 'Ana', iban: 'DE89370400440532013000' }, 'iban DE89370400440532013000'],
    [{ ...account, account_number: '12-34 56.78' }, 'account US 021000021 12345678'],
    [{ ...account, account_number: 'ab12', routing_number: '021-000 021' }, 'account US 021000021 AB12'],
    [{ method: 'other', instructions: 'Cash' }, undefined],
  ])('is, for %j, %s', (details, spelling) => {
    expect(accountOf(details)).toBe(spelling);
  });

  it.each([
    ['GB', '20-20-15', '55555555', 'GB33BUKB20201555555555'],
    ['JE', '202015', '5555555', 'GB33BUKB20201505555555'],
  ])(
    'is the same in %s for an account number and for the IBAN that contains it',
    (country, routing_number, account_number, iban) => {
      const spelling = accountOf({ method: 'bank', account_holder: 'Ana', iban });
      expect(accountOf({ ...account, country, routing_number, account_number })).toBe(spelling);
      expect(spelling).toBe(`account GB 202015 ${iban.slice(-8)}`);
    },
  );

  it('is the same for every name of the account holder, and differs between countries', () => {
    const number = { ...account, account_number: '12345678' };
    expect(accountOf({ ...number, account_holder: 'Ben' })).toBe(accountOf(number));
    expect(accountOf({ ...number, country: 'CA' })).not.toBe(accountOf(number));
  });
});

it('payout details for Wise and for a bank transfer with one IBAN identify the same account', () => {
  const details = { account_holder: 'Ana', iban: 'DE89370400440532013000' };
  expect(accountOf({ method: 'wise', ...details, bic: 'COBADEFF' })).toBe(accountOf({ method: 'bank', ...details }));
});

it.each([
  ['cobadeff', 'COBADEFF'],
  [' COBA DE FF XXX ', 'COBADEFFXXX'],
  ['1234DE5A', '1234DE5A'],
])('the BIC %j is %s', (sent, bic) => {
  expect(bicOf(sent)).toBe(bic);
});

it.each([
  '',
  'COBADEF',
  'COBADEFFX',
  'COBADEFFXX',
  'COBADEFFXXXX',
  'COBA12FF',
  'COBADEF-',
  'COBADEFß',
  'KOBADEFF\u0000',
])('%j is not a valid BIC', (sent) => {
  expect(bicOf(sent)).toBeUndefined();
});

// Capitals of these letters are ASCII.
it.each(['de89370400440532013ß', 'dk5000400440116243\u017f'])('%j is not a valid IBAN', (sent) => {
  expect(ibanOf(sent)).toBeUndefined();
});
