import { beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The messages of 400 and 422.

const world = openedWorld();
let takenId: number;
beforeAll(async () => {
  const brand = await world.brand();
  await signedUp(brand, 'taken');
  takenId = (await sold(brand, { transaction_id: 'taken', customer_key: 'taken' })).sale_id;
});

const invalid = (message: string) => codedError(400, 'invalid_request', message);
const unattributed = (message: string) => codedError(400, 'no_attribution', message);
const messages = {
  json: 'Invalid JSON body',
  transactionId: 'transaction_id is required and must be a string',
  amount: 'amount_cents is required and must be a positive integer',
  occurredAt: 'occurred_at must be an ISO 8601 time within the last 30 days',
  provider: 'provider must be one of: stripe, polar, lemonsqueezy, paddle, paypal, braintree, chargebee, manual, other',
  providerPaymentId: 'provider_payment_id must be a string of 1 to 255 characters',
  livemode: 'livemode must be a boolean',
  customer: 'Customer not found. Provide customer_key or click_id.',
  duplicate: 'Duplicate transaction_id. This sale has already been recorded.',
};

/** Every field is valid; the customer is unknown. */
const unknownCustomer = { transaction_id: 'never', amount_cents: 4900, customer_key: 'nobody' };

describe('the fields of a sale', () => {
  const wrong: readonly (readonly [field: string, message: string, values: readonly unknown[]])[] = [
    [
      'transaction_id',
      messages.transactionId,
      [undefined, null, '', ' \t', 7, true, {}, ['t'], 'x'.repeat(256), 'a\u0000b', 'a\nb', 'a\u007fb', 't\ud800'],
    ],
    [
      'amount_cents',
      messages.amount,
      [undefined, null, 0, -0, -1, 1.5, '100', true, [100], {}, 1e12 + 1, 2 ** 53 - 1, 2 ** 53, 1e300, -(2 ** 53)],
    ],
    ['occurred_at', messages.occurredAt, [1_795_000_000, true, {}, '', 'now']],
    ['provider', messages.provider, ['', 'Stripe', ' stripe', 'square', 7, true, ['stripe'], {}]],
    ['provider_payment_id', messages.providerPaymentId, ['', 'x'.repeat(256), 7, true, {}, []]],
    ['livemode', messages.livemode, ['true', 0, 1, '', {}, []]],
  ];
  const rows = wrong.flatMap(([field, message, values]) => values.map((value) => ({ field, value, message })));

  describe.each([
    ['real', {}],
    ['test', { additional_data: { test_mode: true } }],
  ])('in a %s sale', (mode, more) => {
    it.each(rows.filter(({ field, value }) => !(mode === 'test' && field === 'transaction_id' && value == null)))(
      'are refused with 400 if $field is $value',
      async ({ field, value, message }) => {
        const { key } = await world.brand();
        const reply = await send(handler, { key, body: { ...unknownCustomer, [field]: value, ...more } });
        expect(reply).toEqual({ status: 400, headers: countedHeaders(120), body: invalid(message) });
        expect(await world.items('SALE#never')).toEqual([]);
      },
    );
  });

  const accepted: readonly object[] = [
    { transaction_id: 'x'.repeat(255) },
    { transaction_id: 'ü # / "quoted" \u{1f600}' },
    { amount_cents: 1 },
    { amount_cents: 1_000_000_000_000 },
    { occurred_at: null, provider: null, provider_payment_id: null, livemode: null, currency: null },
    ...['stripe', 'polar', 'lemonsqueezy', 'paddle', 'paypal', 'braintree', 'chargebee', 'manual', 'other'].map(
      (provider) => ({ provider }),
    ),
    { provider_payment_id: ' ' },
    { provider_payment_id: 'x'.repeat(255) },
    { livemode: true },
    { livemode: false },
    ...['USD', 'usd', ' Eur ', 'VND', 'vnd\n'].map((currency) => ({ currency })),
    { additional_data: null },
    { additional_data: { test_mode: 'true' } },
    { additional_data: { test_mode: 1 } },
    { additional_data: [true] },
    { additional_data: 'test_mode' },
  ];
  it.each(accepted.map((fields) => [fields]))(
    'are valid, so that the next check refuses the request: %o',
    async (fields) => {
      const { key } = await world.brand();
      const reply = await send(handler, { key, body: { ...unknownCustomer, ...fields } });
      expect(reply.body).toEqual(unattributed(messages.customer));
    },
  );
});

describe('a sale in a currency that is not supported (422 unsupported_currency)', () => {
  it.each([
    ['GBP', 'GBP'],
    ['gbp', 'GBP'],
    ['  usdc ', 'USDC'],
    ['', ''],
    ['   ', ''],
    ['x'.repeat(300), 'X'.repeat(20)],
    [`${'x'.repeat(19)}\u{1f600}`, `${'X'.repeat(19)}\ufffd`],
    ['US\r\nX-Injected: 1', 'US\r\nX-INJECTED: 1'],
    ['<b>', '<B>'],
    [840, '840'],
    [true, 'true'],
    [['USD'], '["USD"]'],
    [{ code: 'usd', name: 'dollar' }, '{"code":"usd","name"'],
  ])('gets a message with the beginning of the currency %j', async (currency, echo) => {
    const { key } = await world.brand();
    const reply = await send(handler, { key, body: { ...unknownCustomer, currency } });
    expect(reply).toEqual({
      status: 422,
      headers: countedHeaders(120),
      body: codedError(422, 'unsupported_currency', `currency ${echo} is not supported`),
    });
  });

  it('is refused even if the field is nested too deeply to be quoted', async () => {
    const { key } = await world.brand();
    const currency = '['.repeat(100_000) + ']'.repeat(100_000);
    const { status } = await send(handler, {
      key,
      body: `{"transaction_id":"t","amount_cents":1,"currency":${currency}}`,
    });
    expect(status).toBe(422);
  });

  it('can be sent again with the same transaction id', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'resent');
    const body = { transaction_id: 'resent', amount_cents: 100, customer_key: 'resent' };
    expect((await send(handler, { key: brand.key, body: { ...body, currency: 'GBP' } })).status).toBe(422);
    expect(await world.items('SALE#resent')).toEqual([]);
    expect(await sold(brand, body)).toMatchObject({ success: true });
  });
});

describe('the reply to a sale with two errors names', () => {
  /** In the order of the checks: each alone gets its own error, two together the error of the first. */
  const faults: readonly { fault: string; body: object; answer: () => object }[] = [
    { fault: 'transaction_id', body: { transaction_id: 7 }, answer: () => invalid(messages.transactionId) },
    { fault: 'amount_cents', body: { amount_cents: '1' }, answer: () => invalid(messages.amount) },
    { fault: 'occurred_at', body: { occurred_at: 'x' }, answer: () => invalid(messages.occurredAt) },
    { fault: 'provider', body: { provider: 'x' }, answer: () => invalid(messages.provider) },
    {
      fault: 'provider_payment_id',
      body: { provider_payment_id: '' },
      answer: () => invalid(messages.providerPaymentId),
    },
    { fault: 'livemode', body: { livemode: 1 }, answer: () => invalid(messages.livemode) },
    {
      fault: 'currency',
      body: { currency: 'GBP' },
      answer: () => codedError(422, 'unsupported_currency', 'currency GBP is not supported'),
    },
    {
      fault: 'duplicate',
      body: { transaction_id: 'taken' },
      answer: () => codedError(409, 'duplicate_transaction', messages.duplicate, { sale_id: takenId, own: false }),
    },
    { fault: 'customer', body: { customer_key: 'nobody' }, answer: () => unattributed(messages.customer) },
  ];
  const pairs = faults.flatMap((first, index) =>
    faults
      .slice(index + 1)
      .map((second) => ({ first, second, names: `the error “${first.fault}”, not “${second.fault}”` })),
  );

  it.each(pairs)('$names', async ({ first, second }) => {
    const { key } = await world.brand();
    const body = { transaction_id: 'free', amount_cents: 1, ...second.body, ...first.body };
    expect((await send(handler, { key, body })).body).toEqual(first.answer());
  });

  it('an unknown key, not an invalid body', async () => {
    const reply = await send(handler, { key: 'nobody', body: '{' });
    expect(reply.body).toEqual(codedError(401, 'unauthorized', 'Invalid API token'));
  });

  it('an invalid body, not a missing field', async () => {
    const { key } = await world.brand();
    expect((await send(handler, { key, body: '{"transaction_id":7' })).body).toEqual(invalid(messages.json));
  });
});

it('a sale is answered 500 “Sale tracking failed” and stores nothing if a call to the table fails', async () => {
  const key = 'key_of_a_lost_program';
  await world.deps().table.put(keys.credential(sha256(key)), { class: 'programKey', programId: 999_999 });
  const reply = await send(handler, { key, body: { ...unknownCustomer, transaction_id: 'lost' } });
  expect(reply).toEqual({
    status: 500,
    headers: countedHeaders(120),
    body: codedError(500, 'internal_error', 'Sale tracking failed'),
  });
  expect(await world.items('SALE#lost')).toEqual([]);
});
