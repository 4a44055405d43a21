import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bankFormats,
  fileOf,
  filesOf,
  noFileReasons,
  partsOf,
  type PayableLine,
} from '#lib/service/earnings/files/bank-file.ts';
import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

const holder = { account_holder: 'Ana Doe' };
const iban = (method: 'bank' | 'wise', number = 'DE89370400440532013000'): PayoutDetails => ({
  method,
  ...holder,
  iban: number,
});
const byEmail = (method: 'paypal' | 'wise', email = 'ana@example.com'): PayoutDetails => ({ method, email });
const number: PayoutDetails = {
  method: 'bank',
  ...holder,
  account_number: '1',
  routing_number: '2',
  country: 'US',
};
const other: PayoutDetails = { method: 'other', instructions: 'Cash' };

const payable = (
  details: PayoutDetails | undefined,
  line: Partial<PayableLine['line']> = {},
  more: Partial<PayableLine> = {},
): PayableLine => ({
  line: {
    payoutId: 9,
    programId: 1,
    partnerId: 5,
    currency: 'EUR',
    amountCents: 980,
    commissions: 1,
    status: 'recorded',
    createdAt: '2026-12-20T10:00:00.000Z',
    ...line,
  },
  details,
  holder: 'Ana Doe',
  ...more,
});

describe('the bank file that contains a payout line, or the reason why none does, for each destination and amount:', () => {
  it.each<[string, PayableLine, ReturnType<typeof fileOf>]>([
    ['PayPal', payable(byEmail('paypal'), { currency: 'USD' }), { format: 'paypal' }],
    ['PayPal, with an unreadable name', payable(byEmail('paypal'), {}, { holder: '-' }), { format: 'paypal' }],
    ['Wise by e-mail', payable(byEmail('wise'), { currency: 'JPY' }), { format: 'wise' }],
    ['Wise by IBAN', payable(iban('wise'), { currency: 'USD' }), { format: 'wise-iban' }],
    ['Wise by an IBAN outside SEPA', payable(iban('wise', 'AE070331234567890123456')), { format: 'wise-iban' }],
    ['an IBAN in euros', payable(iban('bank')), { format: 'sepa' }],
    ['no details', payable(undefined), { reason: 'no_details' }],
    ['held details', payable(undefined, {}, { isHeld: true }), { reason: 'held' }],
    ['other', payable(other, { currency: 'USD' }), { reason: 'no_format' }],
    ['an account number', payable(number), { reason: 'no_format' }],
    [
      'an IBAN in dollars',
      payable(iban('bank', 'AE070331234567890123456'), { currency: 'USD' }),
      { reason: 'not_euro' },
    ],
    [
      'an IBAN outside SEPA',
      payable(iban('bank', 'AE070331234567890123456'), {}, { holder: '山' }),
      { reason: 'not_sepa' },
    ],
    ['an e-mail like a formula', payable(byEmail('wise', '=x@example.com'), {}, { holder: '' }), { reason: 'unsafe' }],
    ['a name that banks cannot read', payable(iban('bank'), {}, { holder: '山田' }), { reason: 'name' }],
    ['a name that Wise can read', payable(iban('wise'), {}, { holder: '山田' }), { format: 'wise-iban' }],
    [
      'a name without readable characters',
      payable(byEmail('wise'), { amountCents: 1e15 }, { holder: '=-@' }),
      { reason: 'name' },
    ],
    ['the largest amount', payable(iban('bank'), { amountCents: 99_999_999_999 }), { format: 'sepa' }],
    ['a larger amount', payable(iban('bank'), { amountCents: 100_000_000_000 }), { reason: 'too_large' }],
    [
      'yen, which have no decimals',
      payable(byEmail('wise'), { currency: 'JPY', amountCents: 999_999_999 }),
      { format: 'wise' },
    ],
    [
      'too many yen',
      payable(byEmail('wise'), { currency: 'JPY', amountCents: 1_000_000_000 }),
      { reason: 'too_large' },
    ],
    [
      'dinars, which have three decimals',
      payable(byEmail('wise'), { currency: 'KWD', amountCents: 999_999_999_990 }),
      { format: 'wise' },
    ],
    [
      'too many dinars',
      payable(byEmail('wise'), { currency: 'KWD', amountCents: 999_999_999_991 }),
      { reason: 'too_large' },
    ],
  ])('%s', (_, line, expected) => {
    expect(fileOf(line)).toEqual(expected);
  });
});

describe('the bank files for payout lines', () => {
  const details = fc.constantFrom(
    undefined,
    other,
    number,
    byEmail('paypal'),
    byEmail('paypal', '+a@b.co'),
    byEmail('wise'),
    byEmail('wise', '@a@b.co'),
    iban('bank'),
    iban('bank', 'AE070331234567890123456'),
    iban('wise'),
  );
  const anyLine = fc.record({
    details,
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    amountCents: fc.oneof(fc.nat(1_000_000), fc.constant(5e11)),
    holder: fc.constantFrom('Ana', '山', '=', ''),
    isHeld: fc.boolean(),
  });

  it('contain each payout line exactly once, except for lines that are listed with the reason why no file has them', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), (sent) => {
        const lines = sent.map((one, index) =>
          payable(
            one.isHeld ? undefined : one.details,
            { partnerId: index + 1, currency: one.currency, amountCents: one.amountCents },
            { holder: one.holder, ...(one.isHeld && { isHeld: true }) },
          ),
        );
        const { files, withoutFile } = filesOf(lines, lines);
        expect(files.reduce((sum, file) => sum + file.lines, withoutFile.length)).toBe(lines.length);
        for (const one of lines) {
          const { format, reason } = fileOf(one);
          expect([format, reason].filter((each) => each !== undefined)).toHaveLength(1);
          const names = files.filter((file) => file.format === format && file.currency === one.line.currency);
          expect(names).toHaveLength(format ? 1 : 0);
          expect(withoutFile.filter(({ line }) => line === one.line)).toEqual(
            reason ? [{ line: one.line, reason }] : [],
          );
        }
        const cents = lines.filter((one) => fileOf(one).format).reduce((sum, { line }) => sum + line.amountCents, 0);
        expect(files.reduce((sum, file) => sum + file.amountCents, 0)).toBe(cents);
      }),
    );
  });

  it('are listed by format and currency, each with its numbers of lines and parts and its amount', () => {
    const lines = [
      payable(byEmail('wise')),
      payable(byEmail('wise'), { amountCents: 20 }),
      payable(iban('bank')),
      payable(byEmail('paypal'), { currency: 'USD' }),
      payable(byEmail('paypal')),
    ];
    const one = { lines: 1, amountCents: 980, parts: 1 };
    expect(filesOf(lines, lines).files).toEqual([
      { format: 'paypal', currency: 'EUR', ...one },
      { format: 'paypal', currency: 'USD', ...one },
      { format: 'wise', currency: 'EUR', lines: 2, amountCents: 1_000, parts: 1 },
      { format: 'sepa', currency: 'EUR', ...one },
    ]);
    expect([bankFormats.length, noFileReasons.length]).toEqual([4, 8]);
  });
});

it('a bank file that is divided into parts names the partner with whose line each part begins', () => {
  const lines = Array.from({ length: 1_001 }, (_, n) => ({
    ...payable(byEmail('wise'), { partnerId: 7 + n }),
    destination: toWise,
  }));
  const [file] = filesOf(lines, lines).files;
  expect(file).toMatchObject({ format: 'wise', lines: 1_001, parts: 2, firstPartnerIds: [7, 1_007] });
});

type PartsOfLine = Parameters<typeof partsOf>[1][number];
type Destination = NonNullable<PartsOfLine['destination']>;

const directed = (count: number, destination?: PartsOfLine['destination']) =>
  Array.from({ length: count }, (_, n) => ({ ...payable(undefined, { partnerId: n + 1 }), destination }));
const [toPaypal, toWise, toWiseIban, toBank] = (
  [
    ['paypal', 'a***@b.co'],
    ['wise', 'a***@b.co'],
    ['wise', 'DE89 **** 3000'],
    ['bank', 'DE89 **** 3000'],
  ] as const
).map(([method, masked]) => ({ method, masked })) as [Destination, Destination, Destination, Destination];
const sizes = (...[format, lines]: Parameters<typeof partsOf>) => partsOf(format, lines).map(({ length }) => length);

describe('the parts of a bank file', () => {
  it.each([
    ['paypal', toPaypal, 5_000],
    ['wise', toWise, 1_000],
    ['wise-iban', toWiseIban, 1_000],
    ['sepa', toBank, 5_000],
  ] as const)(
    'of the format %s have at most as many lines as the payment service accepts',
    (format, destination, most) => {
      expect(sizes(format, directed(most, destination))).toEqual([most]);
      expect(sizes(format, directed(most + 1, destination))).toEqual([most, 1]);
    },
  );

  it('are not made if all lines for the payment service fit into one file, even if the formats of the lines differ', () => {
    const lines = [...directed(3_000, toPaypal), ...directed(1_000, toWise), ...directed(900)];
    expect(sizes('wise', lines)).toEqual([4_900]);
    expect(sizes('wise', [...lines, ...directed(1, toWise)])).toEqual([1_000, 1_000, 1_000, 1_000, 901]);
  });
});
