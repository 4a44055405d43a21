import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReferralClient } from '#lib/apps/client/referral-client.ts';
import { saleCustomerNotFound } from '#lib/service/ground/values/refusals.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const warnings = [
  {
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2026-12-01.',
    hint: 'A workspace owner can create a new key.',
    rotate_by: '2026-12-01T00:00:00.000Z',
    docs_url: 'https://docs.test/errors',
  },
];
const text = 'Referral tracking: This API key must be replaced by 2026-12-01. A workspace owner can create a new key.';

const server = openedScriptedServer();
let client: ReferralClient;
const warn = vi.spyOn(console, 'warn');

beforeEach(() => {
  warn.mockReset().mockReturnValue();
  client = new ReferralClient({ apiKey: 'aff_1_key', baseUrl: server.url });
});
afterAll(() => warn.mockRestore());

describe('a warning in a reply of the service, such as that the key must be replaced,', () => {
  it('is part of what the client’s method resolves with, and is printed only the first time', async () => {
    server.answer({ body: { success: true, warnings } }, { body: { success: true, warnings } });
    const sale = { customerId: 'u', amount: 1, invoiceId: 'i' };
    const expected = { success: true, duplicate: false, warnings };
    expect([await client.trackSale(sale), await client.trackSale(sale)]).toEqual([expected, expected]);
    expect(warn.mock.calls).toEqual([[text]]);
  });

  it('is part of the error if the request is refused, and is printed', async () => {
    server.answer({ ...refusal(404, 'Sale not found'), body: { ...refusal(404, 'Sale not found').body, warnings } });
    await expect(client.trackRefund({ invoiceId: 'i' })).rejects.toMatchObject({ status: 404, warnings });
    expect(warn.mock.calls).toEqual([[text]]);
  });

  it('is part of the result if the sale is a duplicate', async () => {
    const { status, body } = refusal(409, 'Duplicate', {
      code: 'duplicate_transaction',
      details: { sale_id: 1, own: true },
    });
    server.answer({ status, body: { ...body, warnings } });
    expect(await client.trackSale({ customerId: 'u', amount: 1, invoiceId: 'i' })).toEqual({
      success: true,
      duplicate: true,
      sale_id: 1,
      warnings,
    });
  });

  it('is printed once for each code and each client', async () => {
    const other = { code: 'other', message: 'Something else.' };
    server.answer({ body: { warnings } }, { body: { warnings: [...warnings, other] } }, { body: { warnings } });
    await client.readiness();
    await client.readiness();
    await new ReferralClient({ apiKey: 'aff_1_key', baseUrl: server.url }).readiness();
    expect(warn.mock.calls).toEqual([[text], ['Referral tracking: Something else.'], [text]]);
  });

  it.each([
    ['a sale', () => client.trackSale({ customerId: 'u', amount: 1, invoiceId: 'i' }), 'no_attribution'],
    ['a lead', () => client.trackLead({ customerId: 'u', clickId: 'c' }), undefined],
  ])('is part of the result and is printed if %s matches no customer', async (_, call, code) => {
    const { body, status } = refusal(400, 'Customer not found. Provide a valid click_id or customer_key.', { code });
    const told = [{ code: 'bot_click', message: 'A bot made this click.', hint: 'Use a browser.' }];
    const text400 = code ? { ...body, error: { ...body.error, message: saleCustomerNotFound().message } } : body;
    server.answer({ status, body: { ...text400, warnings: told } });
    expect(await call()).toEqual({
      success: true,
      duplicate: false,
      attributed: false,
      reason: 'no_attribution',
      warnings: told,
    });
    expect(warn.mock.calls).toEqual([['Referral tracking: A bot made this click. Use a browser.']]);
  });

  it('is ignored if it has another format', async () => {
    server.answer({ body: { warnings: 'none' } }, { body: { warnings: [null, 1, {}] } });
    await client.readiness();
    await client.readiness();
    expect(warn.mock.calls).toEqual([]);
  });
});
