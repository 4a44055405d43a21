import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { everyNth } from '#test/support/cases/cases.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { failingAt, refused, replyLost } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { memberOf, newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { WEBHOOK_URL } from '#test/support/outbox/webhooks.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// If any table call fails, the reply contains only the request id.

openProcessor();

const world = openedWorld();

interface Scene {
  readonly user: Dashboard;
  readonly brand: Brand;
  readonly memberId: number;
}

async function scene(): Promise<Scene> {
  const brand = await world.brand();
  const { token, workspace } = await ownerOfBrand(world, brand);
  const { account } = await memberOf(world, workspace);
  const endpoint: WebhookEndpoint = {
    id: 1,
    url: WEBHOOK_URL,
    description: '',
    events: ['*'],
    status: 'active',
    secrets: [],
    createdAt: NOW.toISOString(),
  };
  await world.deps().table.put(factKeys.webhooks(brand.program.id), { version: 1, endpoints: [endpoint] });
  return { user: dashboard(token), brand, memberId: account.id };
}

const program = ({ brand }: Scene) => `/programs/${brand.program.id}`;
const settings = { name: 'New', domain: 'new.test', commission_type: 'fixed', commission_rate: 1 };

const requests: Record<string, (made: Scene) => Promise<TestReply>> = {
  'GET members': ({ user }) => user.get('/workspace/members'),
  'POST members': ({ user }) => user.post('/workspace/members', { email: newAddress(), role: 'member' }),
  'DELETE member': ({ user, memberId }) => user.delete(`/workspace/members/${memberId}`),
  'GET programs': ({ user }) => user.get('/programs'),
  'POST programs': ({ user }) => user.post('/programs', settings),
  'GET program': (made) => made.user.get(program(made)),
  'PATCH program': (made) => made.user.patch(program(made), { allowed_origins: [] }),
  'POST api-key': (made) => made.user.post(`${program(made)}/api-key`),
  'GET partners, sorted': (made) => made.user.get(`${program(made)}/partners?sort=sales&from=2026-11-01`),
  'GET partner': (made) => made.user.get(`${program(made)}/partners/${made.brand.partner.id}?to=2026-11-20`),
  'GET partner performance': (made) => made.user.get(`${program(made)}/partners/${made.brand.partner.id}/performance`),
  'POST partners': (made) => made.user.post(`${program(made)}/partners`, { name: 'Ben', email: newAddress() }),
  'PATCH partner': (made) =>
    made.user.patch(`${program(made)}/partners/${made.brand.partner.id}`, { status: 'removed' }),
  'PATCH partner, name and e-mail': (made) =>
    made.user.patch(`${program(made)}/partners/${made.brand.partner.id}`, { name: 'Eve', email: 'eve@partners.test' }),
  'GET links': (made) => made.user.get(`${program(made)}/links`),
  'GET customers': (made) => made.user.get(`${program(made)}/customers?status=lead`),
  'GET search': (made) => made.user.get(`${program(made)}/search?q=ana%40partners.test`),
  'GET links, sorted': (made) => made.user.get(`${program(made)}/links?sort=revenue&status=active`),
  'GET link': (made) => made.user.get(`${program(made)}/links/${made.brand.shortLink}`),
  'GET link performance': (made) => made.user.get(`${program(made)}/links/${made.brand.shortLink}/performance`),
  'POST links': (made) => made.user.post(`${program(made)}/links`, { partner_id: made.brand.partner.id }),
  'GET webhooks': (made) => made.user.get(`${program(made)}/webhooks`),
  'GET webhook': (made) => made.user.get(`${program(made)}/webhooks/1`),
  'PATCH webhook': (made) => made.user.patch(`${program(made)}/webhooks/1`, { status: 'paused' }),
  'DELETE webhook': (made) => made.user.delete(`${program(made)}/webhooks/1`),
  'POST webhook secret': (made) => made.user.post(`${program(made)}/webhooks/1/secret`),
  'GET webhook deliveries': (made) => made.user.get(`${program(made)}/webhooks/1/deliveries`),
  'PATCH link': (made) => made.user.patch(`${program(made)}/links/${made.brand.shortLink}`, { status: 'inactive' }),
};

/** The table's content without counters. */
const facts = async () => (await allItems(world)).filter(({ pk }) => !/^(WINDOW|SEQUENCE)#/.test(String(pk)));

/** Whether a call is not the rate-limit count of the request. */
const isNoCount = ({ input }: SentCall) =>
  !String((input.Key as { pk?: string } | undefined)?.pk).startsWith('WINDOW#');

/** @param used requests of the minute, including this one */
function expectFailed(reply: TestReply, used = 1): void {
  const requestId = reply.headers['X-Request-ID'];
  expect(reply).toEqual({
    status: 500,
    headers: countedHeaders(300, used),
    body: {
      data: null,
      error: {
        status: 500,
        name: 'InternalServerError',
        message: `Request failed (request_id: ${requestId})`,
        details: { request_id: requestId },
      },
    },
  });
}

for (const [at, [name, request]] of Object.entries(requests).entries()) {
  describe(`the request ${name}`, everyNth(3, at), () => {
    it('is answered 500 “Request failed” if any table call fails, writes nothing, and succeeds when sent again', async () => {
      const [first, made] = [await scene(), await scene()];
      const calls = (await sentCalls(() => request(first))).filter(isNoCount);
      const before = await facts();
      for (let call = 1; call <= calls.length; call++) {
        expectFailed(await failingAt(call, refused('InternalServerError'), () => request(made)), call);
        expect(await facts()).toEqual(before);
      }
      expect((await request(made)).status).toBe(200);
    });
  });
}

describe('if a write was executed but its reply was lost,', () => {
  it.each([
    'PATCH program',
    'PATCH webhook',
    'POST webhook secret',
    'POST api-key',
    'PATCH partner',
    'PATCH partner, name and e-mail',
    'PATCH link',
  ])('the request %s can be sent again', async (name) => {
    const made = await scene();
    const ask = () => requests[name]!(made);
    const other = await scene();
    const calls = (await sentCalls(() => requests[name]!(other))).filter(isNoCount);
    expectFailed(await failingAt(calls.length, replyLost, ask));
    expect((await ask()).status).toBe(200);
  });
});
