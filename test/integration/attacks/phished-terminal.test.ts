import { beforeAll, describe, expect, it } from 'vitest';
import { handler as start } from '#functions/cli/auth/start.ts';
import { type Route, routes } from '#infra/routes.ts';
import { sha256, tokenIdOf } from '#lib/service/ground/addresses/credential.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';
import { callBack, later, loggedIn, MINUTE, pollFor, started } from '#test/support/callers/logins/logins.ts';
import { newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// An attacker starts a CLI login, makes a victim confirm it, and polls for the token.

openProcessor();

let world: World;
let issuer: Issuer;
let brand: OwnedBrand;
/** A CLI token of the brand's owner. */
let terminal: string;
beforeAll(async () => {
  [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
  brand = await ownedBrand(world);
  const { body } = await brand.owner.get('/me');
  terminal = await loggedIn(issuer, body.data.account.email);
});

const cli = apiClient('/api/v1/cli', undefined);
const FROM_ATTACKER = { ip: '203.0.113.66' };
const ON_PAGE = platformError(403, 'Sign in on the page for this');
const PAYPAL = { method: 'paypal', email: 'mallory@example.com' };

/** Makes a victim, who signed in shortly before, confirm a login. @returns the token */
async function phished(email: string, { authenticatedAt = NOW, polledAt = NOW } = {}): Promise<string> {
  const state = (await send(start, { at: NOW, ...FROM_ATTACKER })).body.data.state;
  const claims = { sub: email, email, auth_time: authenticatedAt.getTime() / 1_000 };
  expect((await callBack(state, await issuer.idToken(claims))).status).toBe(200);
  return (await pollFor(state, polledAt)).body.data.token;
}

describe('a CLI token that an attacker obtained by phishing', () => {
  it('cannot change payout details, neither at once nor 14 minutes later', async () => {
    const token = await phished(newAddress('victim'), { polledAt: later(9 * MINUTE) });
    for (const at of [NOW, later(9 * MINUTE), later(14 * MINUTE)]) {
      const { status, body } = await portal(token).put('/payout-details', PAYPAL, { at });
      expect({ status, body }).toEqual({ status: 403, body: ON_PAGE });
    }
  });

  it('has the age of the person’s sign-in, no matter when the attacker’s CLI fetched it', async () => {
    const authenticatedAt = later(-3 * MINUTE);
    const token = await phished(newAddress('victim'), { authenticatedAt, polledAt: later(8 * MINUTE) });
    expect(await world.items(`CREDENTIAL#${sha256(token)}`)).toMatchObject([
      { kind: 'cli', createdAt: later(8 * MINUTE).toISOString(), signedInAt: authenticatedAt.toISOString() },
    ]);
  });

  it('can read everything except full payout details, statements, sign-ins, members and their changes', async () => {
    await earned(brand, 1);
    const { body: made } = await brand.owner.post(`${brand.path}/payouts`, {}, { at: HOLD_OVER });
    const payout = `${brand.path}/payouts/${made.data.id}`;
    const thief = dashboard(terminal);
    expect(await thief.get(`${payout}.csv`)).toEqual({ status: 403, headers: countedHeaders(300), body: ON_PAGE });
    expect((await thief.get(payout)).status).toBe(200);
    for (const url of ['/me', '/workspace', `${brand.path}/commissions`, `${brand.path}/facts`]) {
      expect((await thief.get(url)).status).toBe(200);
    }
    // A statement shows the partner's postal address and tax id.
    const statement = `${brand.path}/statements/${made.data.id}-${brand.partner.id}-USD`;
    expect((await brand.owner.get(statement, { at: HOLD_OVER })).status).toBe(200);
    for (const url of ['/tokens', '/workspace/members', '/workspace/audit', statement, `${statement}.csv`]) {
      expect((await thief.get(url)).body).toEqual(ON_PAGE);
    }
  });

  it('can use the CLI commands and revoke itself', async () => {
    const token = await loggedIn(issuer, newAddress('developer'));
    expect((await dashboard(token).post('/workspace', { name: 'New Brand' })).status).toBe(200);
    const program = { name: 'App', domain: 'app.test', commission_type: 'percent', commission_rate: 10 };
    const { status, body } = await apiClient('/api/v1/cli', token).post('/init', program);
    expect(status).toBe(200);
    expect((await dashboard(token).post(`/programs/${body.data.program_id}/verification`)).status).toBe(200);
    expect((await dashboard(token).delete('/session')).body).toEqual({ data: { revoked: true } });
    expect((await dashboard(token).get('/me')).status).toBe(401);
  });
});

/** Routes without a login token, or declared for CLI tokens. */
const forTerminals = ['dashboard/session/post', 'dashboard/session/delete', 'dashboard/workspace/post'];
const chain = 'dashboard/verification/post';
/** The routes that visitors read without signing in. */
const forVisitors = ['partner/join/get', 'partner/brand/get'];
const changes = routes.filter(
  ({ method, path, function: name }) =>
    ((method !== 'GET' && path.startsWith('/api/dashboard/v1/')) || path.startsWith('/api/partner/v1/')) &&
    ![...forTerminals, chain, ...forVisitors].includes(name),
);

/** Values for path parameters of the brand and its owner, who is also its partner. */
async function namedThings(): Promise<Record<string, string>> {
  const { owner, path, program } = brand;
  const created = async (url: string, body: object): Promise<Record<string, unknown>> => {
    const { status, body: reply } = await owner.post(path + url, body);
    if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(reply)}`);
    return reply.data;
  };
  const { body: me } = await owner.get('/me');
  const partner = await created('/partners', { name: 'Own', email: me.data.account.email });
  // This request makes the account the partner.
  await portal((await ownerOfBrand(world, brand)).token).get('/me');
  const link = await created('/links', { partner_id: partner.id });
  const endpoint = await created('/webhooks', { url: 'https://hooks.example.com/', events: ['sale.recorded'] });
  const code = await created('/codes', { partner_id: partner.id, code: 'SAVE10' });
  const group = await created('/groups', {
    name: 'Friends',
    terms: { commission_type: 'percent', commission_rate: 10 },
  });
  const [commission] = await earned(brand, 1);
  const { body: sales } = await owner.get(`${path}/commissions`);
  const { body: customers } = await owner.get(`${path}/customers`);
  const { body: payout } = await owner.post(`${path}/payouts`, {}, { at: HOLD_OVER });
  return {
    id: String(program.id),
    program_id: String(program.id),
    partner_id: String(partner.id),
    group_id: String(group.id),
    endpoint_id: String(endpoint.id),
    code: String(code.code),
    transaction_id: sales.data[0].transaction_id,
    commission_id: String(commission),
    click_id: customers.data[0].click_id,
    payout_id: String(payout.data.id),
    short_link: String(link.short_link),
    account_id: brand.actor.slice('account:'.length),
    delivery_id: '1',
    event_id: 'evt_1',
  };
}

/** The route whose delivery does not exist. A CLI token gets that reply, because it may read. */
const notThere = 'dashboard/webhook/replay-delivery';

describe('a CLI token is answered 403 by the portal and by every route that no CLI command uses:', () => {
  let named: Record<string, string>;
  beforeAll(async () => {
    named = await namedThings();
  });

  async function ask({ method, path, function: name }: Route) {
    const { handler } = await loadedFunction(name);
    const query = path.endsWith('/members') ? { account_id: named.account_id! } : undefined;
    return send(handler as Handler, { method, path, pathParameters: named, query, key: terminal, body: '{' });
  }

  it.each(changes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    const { status, body } = await ask(route);
    expect({ status, body }).toEqual(
      route.function === notThere
        ? { status: 404, body: platformError(404, 'Delivery not found') }
        : { status: 403, body: ON_PAGE },
    );
  });
});

const refusalOf = async (query: string, at = NOW) => {
  const { status, body } = await cli.get(`/auth/request${query}`, { at });
  return { status, body };
};

describe('the page that asks a person to confirm a CLI login', () => {
  it('shows the time, the network and the displayed code of the CLI’s request', async () => {
    const { body } = await send(start, { at: NOW, ...FROM_ATTACKER });
    const { state, code } = body.data;
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(await cli.get(`/auth/request?state=${state}`)).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: { data: { requested_at: NOW.toISOString(), network: '203.0.113.x', code } },
    });
  });

  it('shows nothing for an unknown, used or expired request', async () => {
    const state = await started();
    expect(await refusalOf('')).toEqual({ status: 400, body: platformError(400, 'Missing state parameter') });
    const unknown = { status: 404, body: platformError(404, 'Session not found or already used') };
    expect(await refusalOf('?state=x')).toEqual(unknown);
    expect(await refusalOf(`?state=${state}`, later(5 * MINUTE + 1))).toEqual({
      status: 400,
      body: platformError(400, 'Session expired'),
    });
    const email = newAddress();
    await callBack(state, await issuer.idToken({ sub: email, email }));
    expect(await refusalOf(`?state=${state}`)).toEqual(unknown);
  });
});

it('one mail notifies the person of a CLI login, even if the CLI polls many times', async () => {
  const email = newAddress('victim');
  const state = await started();
  expect((await callBack(state, await issuer.idToken({ sub: email, email }))).status).toBe(200);
  const polls = await Promise.all(Array.from({ length: 5 }, () => pollFor(state)));
  const [token] = polls.flatMap(({ body }) => (body.data?.token ? [body.data.token as string] : []));
  const id = mailIdOf({ kind: 'terminal_signed_in', fact: tokenIdOf(sha256(token!)) }, email);
  expect(await world.items(keys.mail(id).pk)).toMatchObject([
    {
      kind: 'terminal_signed_in',
      to: { email },
      data: { at: NOW.toISOString(), address: expect.stringMatching(/^10\.\d+\.\d+\.x$/) },
      status: 'waiting',
    },
  ]);
  expect(polls.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
});
