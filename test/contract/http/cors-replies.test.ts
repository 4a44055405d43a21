import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { readableBy } from '#test/support/callers/headers.ts';
import { changeLink, clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestRequest } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let brand: Brand;
let off: Brand;
beforeAll(async () => {
  brand = await world.brand({ allowedOrigins: ['https://own.test'] });
  off = await world.brand({ allowedOrigins: ['https://own.test'] });
  await changeLink(world, off, { status: 'inactive' });
  await world.brand({ allowedOrigins: ['https://other.test'] });
});

const OWN = 'https://own.test';
const OTHER = 'https://other.test';
const UNKNOWN = 'https://unknown.test';

type Row = readonly [status: number, what: string, handler: Handler, request: () => Promise<TestRequest> | TestRequest];

const testEvent = (programId: unknown) => ({ additional_data: { test_mode: true, program_id: programId } });
const tooMany = async (handler: Handler, limit: number): Promise<TestRequest> => {
  const ip = `203.0.113.${limit}`;
  for (let n = 0; n < limit; n++) await send(handler, { ip, body: testEvent(undefined) });
  return { ip };
};

/** Replies about a program: only its own origins may read them. */
const resolved: readonly Row[] = [
  [200, 'click', click, () => ({ body: { affiliate_url: brand.affiliateUrl } })],
  [200, 'test click', click, () => ({ body: testEvent(brand.program.id) })],
  [410, 'disabled link', click, () => ({ body: { affiliate_url: off.affiliateUrl } })],
  [200, 'provisional lead', lead, async () => ({ body: { click_id: await clicked(brand) } })],
  [200, 'test lead', lead, () => ({ body: testEvent(brand.program.id) })],
  [400, 'status of the customer', lead, async () => ({ body: { click_id: await signedUp(brand, 'a lead') } })],
  [
    400,
    'customer not found in the program',
    lead,
    () => ({
      body: { customer_key: 'x', program_id: brand.program.id },
    }),
  ],
];

/** Replies about no program: the origins of all programs may read them. */
const unresolved: readonly Row[] = [
  [400, 'click without URL', click, () => ({})],
  [400, 'click with a broken body', click, () => ({ body: '{' })],
  [400, 'unknown link', click, () => ({ body: { affiliate_url: 'https://own.test/?aff=nobody' } })],
  [200, 'test click without program', click, () => ({ body: testEvent(undefined) })],
  [429, 'click', click, () => tooMany(click, 60)],
  [400, 'lead without identifier', lead, () => ({})],
  [400, 'unknown customer', lead, () => ({ body: { click_id: 'clk_unknown' } })],
  [400, 'unknown customer of an unknown program', lead, () => ({ body: { customer_key: 'x', program_id: 999_999 } })],
  [401, 'unknown key', lead, () => ({ key: 'unknown', body: {} })],
  [429, 'lead', lead, () => tooMany(lead, 30)],
];

const cors = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(Access-Control-.*|Vary)$/.test(name)));
const unreadable = { Vary: 'Origin' };

describe.each([
  { kind: 'about a program', rows: resolved, readableByOthers: unreadable },
  { kind: 'without a program', rows: unresolved, readableByOthers: readableBy(OTHER) },
])('the CORS headers of a reply $kind', ({ rows, readableByOthers }) => {
  it.each(rows)(
    'let a page read a reply with the status %i only if its origin is allowed: %s',
    async (status, _, handler, request) => {
      const sent = await request();
      const replies = [];
      for (const origin of [OWN, OTHER, UNKNOWN]) replies.push(await send(handler, { ...sent, headers: { origin } }));
      // Only the first status is checked, because the first request may change the state for the next one.
      expect(replies[0]?.status).toBe(status);
      expect(replies.map(({ headers }) => cors(headers))).toEqual([readableBy(OWN), readableByOthers, unreadable]);
    },
  );
});

describe('if the table fails, a browser’s page', () => {
  it('whose origin is not cached cannot read the reply 500', async () => {
    const table = mockClient(DynamoDBDocumentClient).rejects(new Error('The table is down'));
    const at = new Date(NOW.getTime() + 3_600_000);
    const reply = await send(click, { headers: { origin: OWN }, body: { affiliate_url: brand.affiliateUrl }, at });
    table.restore();
    expect(reply).toMatchObject(refusal(500, 'Click tracking failed'));
    expect(cors(reply.headers)).toEqual(unreadable);
  });
});

describe('the header Origin of a request', () => {
  it('does not influence whether a click or a lead is recorded', async () => {
    const { status, body } = await send(click, {
      headers: { origin: UNKNOWN },
      body: { affiliate_url: brand.affiliateUrl },
    });
    expect(status).toBe(200);
    expect(await world.items(`CUSTOMER#${body.click_id}`)).toHaveLength(1);
  });

  it('leads to no CORS headers in the reply to a sale', async () => {
    const { headers } = await send(sale, { headers: { origin: OWN }, key: brand.key, body: {} });
    expect(cors(headers)).toEqual({});
  });
});
