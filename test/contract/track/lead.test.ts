import { beforeAll, describe, expect, it } from 'vitest';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { browserLead, clicked, settledLead, signedUp } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestRequest } from '#test/support/callers/request.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let other: Brand;
let retiredKey: string;
let newClick: string;
let provisionalClick: string;
let leadClick: string;
let soldClick: string;
let otherClick: string;
let otherLeadClick: string;

beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  other = await world.brand();
  const retired = await world.brand();
  retiredKey = retired.key;
  await markKeyForRotation(world.deps(), retired.program.id, NOW);

  newClick = await clicked(brand);
  provisionalClick = await clicked(brand);
  await browserLead({ click_id: provisionalClick });
  leadClick = await signedUp(brand, 'lead');
  soldClick = await clicked(brand);
  await send(sale, { key: brand.key, body: { transaction_id: 't1', amount_cents: 1, click_id: soldClick } });
  otherClick = await clicked(other);
  otherLeadClick = await clicked(other);
  await settledLead(other, { click_id: otherLeadClick, customer_key: 'of other' });
  await world.deps().table.put(keys.customerKey('lost', brand.program.id), {
    clickId: 'clk_lost',
    programId: brand.program.id,
    status: 'click',
  });
});

/** Status, message, cause, and a request that causes it. */
type Row = readonly [number, string, string, () => TestRequest];

const warnedOf: Readonly<Record<string, WarningCode>> = {
  'an unknown click, from a server': 'unknown_click',
  'a click of another program': 'other_program_click',
  'a click of another program, before its customer’s status': 'other_program_click',
};

const inTestMode = { test_mode: true, program_id: 999_999 };
const server = (body: unknown) => ({ key: brand.key, body });
const browser = (body: unknown) => ({ body });

const REQUIRED = 'click_id or customer_key is required';
const NOT_FOUND = 'Customer not found. Provide a valid click_id or customer_key.';
const NOT_IN_PROGRAM = 'Customer does not belong to this program';
const REFUSED = 'Customer status cannot be updated to lead. Current status:';

/** The messages of 401, 400 and 422, in the order of the checks. */
const rows: readonly Row[] = [
  [401, 'Invalid API token', 'an unknown token', () => ({ key: 'aff_1_unknown', body: { click_id: newClick } })],
  [401, 'Invalid API token', 'an agent key', () => ({ key: `agt_${'x'.repeat(40)}`, body: {} })],
  [401, 'Invalid API token', 'a login token', () => ({ key: `lgn_${'x'.repeat(40)}`, body: {} })],
  [401, 'Invalid API token', 'a key in another case', () => ({ key: brand.key.toUpperCase(), body: {} })],
  [401, 'Invalid API token', 'an unknown key, before the body is parsed', () => ({ key: 'unknown', body: '{' })],
  [
    401,
    'Invalid API token',
    'an unknown key, before test mode',
    () => ({ key: 'unknown', body: { additional_data: inTestMode } }),
  ],
  [400, 'Invalid JSON body', 'a body that is not JSON', () => browser('{')],
  [400, 'Invalid JSON body', 'a body that is a text', () => server('"lead"')],
  [400, 'Request body too large', 'a body of more than 256 KiB', () => browser(`"${'x'.repeat(256 * 1024)}"`)],
  [
    403,
    'program_id does not match the API key',
    'a test lead for another program, before its identifiers',
    () => server({ additional_data: inTestMode }),
  ],
  [400, REQUIRED, 'an empty body', () => ({})],
  [400, REQUIRED, 'no identifier, from a server', () => server({ email: 'u@example.com' })],
  [400, REQUIRED, 'no identifier, from a browser', () => browser({ program_id: brand.program.id })],
  [400, NOT_FOUND, 'an unknown click, from a server', () => server({ click_id: 'clk_unknown' })],
  [400, NOT_FOUND, 'an unknown click, from a browser', () => browser({ click_id: 'clk_unknown' })],
  [400, NOT_FOUND, 'an unknown key, from a server', () => server({ customer_key: 'unknown' })],
  [400, NOT_FOUND, 'an unknown key, from a browser', () => browser({ customer_key: 'unknown' })],
  [400, NOT_FOUND, 'an unknown program, from a browser', () => browser({ customer_key: 'lead', program_id: 999_999 })],
  [400, NOT_IN_PROGRAM, 'a click of another program', () => server({ click_id: otherClick })],
  [400, NOT_IN_PROGRAM, 'a key of another program', () => server({ customer_key: 'of other' })],
  [
    400,
    NOT_IN_PROGRAM,
    'a click of another program, before its customer’s status',
    () => server({ click_id: otherLeadClick }),
  ],
  [400, `${REFUSED} lead`, 'a customer who is a lead, from a server', () => server({ click_id: leadClick })],
  [400, `${REFUSED} lead`, 'a customer who is a lead, from a browser', () => browser({ click_id: leadClick })],
  [400, `${REFUSED} lead`, 'a customer who is a lead, found by key', () => server({ customer_key: 'lead' })],
  [400, `${REFUSED} conversion`, 'a customer who has paid, from a server', () => server({ click_id: soldClick })],
  [400, `${REFUSED} conversion`, 'a customer who has paid, from a browser', () => browser({ click_id: soldClick })],
  [500, 'Lead tracking failed', 'a key whose customer is missing', () => server({ customer_key: 'lost' })],
];

describe('a refused lead whose error has no code', () => {
  // The rows with status 500 are slow, because failed calls are retried for seconds.
  for (const [status, message, cause, request] of rows)
    it(`is answered ${status} “${message}” for ${cause}`, { tags: status === 500 ? ['deep'] : [] }, async () => {
      const code = warnedOf[cause];
      const watched = [newClick, leadClick, soldClick, otherClick, otherLeadClick].map((id) => `CUSTOMER#${id}`);
      const itemsNow = () => Promise.all(watched.map((pk) => world.items(pk)));
      const before = await itemsNow();
      expect(await send(lead, request())).toEqual({
        status,
        headers: { ...countedHeaders(30), Vary: 'Origin' },
        body: { ...platformError(status, message), ...(code && { warnings: [warned(code)] }) },
      });
      expect(await itemsNow()).toEqual(before);
    });
});

const successes: readonly [string, object, () => TestRequest][] = [
  [
    'a provisional lead',
    {
      success: true,
      provisional: true,
      message: 'Lead recorded as provisional. Send a server-side lead to settle it.',
    },
    () => browser({ click_id: provisionalClick }),
  ],
  [
    'a settled lead',
    { success: true, message: 'Lead tracked successfully' },
    () => server({ click_id: provisionalClick }),
  ],
  [
    'a test lead',
    {
      success: true,
      message: 'Test lead event tracked successfully',
      data: { eventId: expect.any(Number), programId: null, test_mode: true },
    },
    () => browser({ additional_data: { test_mode: true } }),
  ],
];

describe('a lead is answered 200', () => {
  it.each(successes)('with exactly the expected body and headers for %s', async (_, body, request) => {
    expect(await send(lead, request())).toEqual({
      status: 200,
      headers: { ...countedHeaders(30), Vary: 'Origin' },
      body,
    });
  });
});

describe('a refused lead whose error has a code', () => {
  it('is answered 401 api_key_rotation_required for a retired program key, before the body is read', async () => {
    const { status, body } = await send(lead, { key: retiredKey, body: '{' });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'api_key_rotation_required' });
  });

  it('is answered 429 rate_limited if it is the 31st from an IP address in a minute', async () => {
    const ip = '192.0.2.1';
    const body = { additional_data: { test_mode: true } };
    for (let n = 0; n < 30; n++) expect((await send(lead, { ip, body })).status).toBe(200);
    expect(await send(lead, { ip, key: 'unknown', body: '{' })).toEqual({
      status: 429,
      headers: { ...countedHeaders(30, 31), 'Retry-After': '60', Vary: 'Origin' },
      body: rateLimitedError(60),
    });
  });
});
