import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { markSuspended } from '#lib/service/people/accounts/accounts-items.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { begin, comeBack, locationOf, settingsPage } from '#test/support/stripe/connecting.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { type Member, memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();
const stripe = await openStripe();

const world = openedWorld();

let brand: Brand;
let owner: Member;
let user: Dashboard;
let path: string;
beforeEach(async () => {
  brand = await world.brand();
  owner = await ownerOfBrand(world, brand);
  user = dashboard(owner.token);
  path = `/programs/${brand.program.id}/processor`;
  stripe.letIn(`acct_${brand.program.id}`);
});

const MINUTE_MS = 60_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const settings = (outcome: string) => settingsPage(brand, outcome);
const invalidState = 'https://track.test/?processor=error&reason=invalid_state';

const accountOf = async () => (await user.get(path)).body.data.account_id;

describe('POST connect, which starts the connection to Stripe,', () => {
  it('returns the URL of Stripe’s page, and sets a cookie so that only this browser can complete the connection', async () => {
    const { status, headers, cookies, body } = await user.post(`${path}/connect`);
    expect([status, headers]).toEqual([200, countedHeaders(300)]);
    const url = new URL(body.data.url);
    const state = url.searchParams.get('state')!;
    expect(body).toEqual({ data: { url: url.href } });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(`${url.origin}${url.pathname}`).toBe(`${stripe.base}/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'ca_platform',
      scope: 'read_only',
      redirect_uri: 'https://track.test/api/dashboard/v1/processor/callback',
      state,
    });
    expect(cookies).toEqual([
      `service_connect=${state}; Path=/api/dashboard/v1/processor; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
    ]);
    expect(await world.items(keys.connect(sha256(state)).pk)).toEqual([
      {
        ...keys.connect(sha256(state)),
        accountId: owner.account.id,
        programId: brand.program.id,
        tokenHash: sha256(owner.token),
        expires_at: NOW.getTime() / 1000 + 600,
      },
    ]);
  });

  it('stores neither the OAuth state nor the login token in readable form', async () => {
    const state = await begin(user, brand);
    const table = JSON.stringify(await allItems(world));
    expect(table).not.toContain(state);
    expect(table).not.toContain(owner.token);
  });

  it('creates a new OAuth state each time', async () => {
    expect(new Set([await begin(user, brand), await begin(user, brand), await begin(user, brand)]).size).toBe(3);
  });
});

describe('the callback from Stripe, after a person has agreed on Stripe’s page,', () => {
  it('stores the account with Stripe’s data and redirects to the program’s settings', async () => {
    const state = await begin(user, brand);
    stripe.requests.length = 0;
    const reply = await comeBack({ state, code: 'ac_1', scope: 'read_only' });
    expect(reply).toEqual({
      status: 302,
      headers: {
        ...countedHeaders(300),
        'Content-Type': undefined,
        'Cache-Control': undefined,
        Location: settings('connected'),
      },
      body: undefined,
    });
    expect((await user.get(path)).body.data).toEqual({
      connected: true,
      mode: 'connect',
      account_id: `acct_${brand.program.id}`,
      charges_enabled: true,
      payouts_enabled: false,
      details_submitted: true,
      livemode: true,
      connected_at: NOW.toISOString(),
      webhook_url: `https://track.test/api/v1/webhooks/stripe/${brand.program.id}`,
      signing_secret_set: false,
      last_delivery: null,
      last_bad_signature_at: null,
    });
    expect(stripe.requests).toEqual([
      {
        method: 'POST',
        path: '/oauth/token',
        authorization: 'Bearer sk_platform',
        body: 'grant_type=authorization_code&code=ac_1',
      },
      { method: 'GET', path: `/v1/accounts/acct_${brand.program.id}`, authorization: 'Bearer sk_platform', body: '' },
    ]);
  });

  it('stores that the account is in Stripe’s test mode', async () => {
    stripe.letIn('acct_test', { charges_enabled: false }, false);
    await comeBack({ state: await begin(user, brand), code: 'ac_1' });
    expect((await user.get(path)).body.data).toMatchObject({
      account_id: 'acct_test',
      livemode: false,
      charges_enabled: false,
    });
  });

  it('succeeds once: a second callback with the same OAuth state is refused', async () => {
    const state = await begin(user, brand);
    const replies = await Promise.all(Array.from({ length: 5 }, () => comeBack({ state, code: 'ac_1' })));
    expect(replies.filter((reply) => locationOf(reply) === settings('connected'))).toHaveLength(1);
    expect(locationOf(await comeBack({ state, code: 'ac_1' }))).toBe(invalidState);
  });

  it.each<[string, (state: string) => string[]]>([
    ['without a cookie', () => []],
    ['with another cookie', () => ['other=1', 'service_connect=x']],
    ['with an empty cookie', () => ['service_connect=']],
    ['with another person’s state', (state) => [`service_connect=${state.slice(0, -1)}`]],
  ])('is refused in a browser %s; it still succeeds in the browser that started the connection', async (_, cookies) => {
    const state = await begin(user, brand);
    expect(locationOf(await comeBack({ state, code: 'ac_1' }, cookies(state)))).toBe(invalidState);
    expect(await accountOf()).toBeNull();
    expect(locationOf(await comeBack({ state, code: 'ac_1' }))).toBe(settings('connected'));
  });

  it.each<Record<string, string>>([{}, { state: '' }, { state: 'x' }, { code: 'ac_1' }, { error: 'access_denied' }])(
    'is refused with the query %j',
    async (query) => {
      const cookies = ['service_connect=', `service_connect=${query.state ?? ''}`];
      expect(locationOf(await comeBack(query, cookies))).toBe(invalidState);
    },
  );

  it('is refused ten minutes after the connection was started', async () => {
    const [state, other] = [await begin(user, brand), await begin(user, brand)];
    expect(locationOf(await comeBack({ state, code: 'ac_1' }, undefined, later(10 * MINUTE_MS)))).toBe(invalidState);
    const inTime = await comeBack({ state: other, code: 'ac_1' }, undefined, later(10 * MINUTE_MS - 1));
    expect(locationOf(inTime)).toBe(settings('connected'));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['signs out', () => user.delete('/session')],
    ['is suspended', () => markSuspended(world.deps().table, owner.account.id, NOW.toISOString())],
    [
      'becomes a member',
      async () => {
        await memberOf(world, owner.workspace, 'owner');
        await setMember(world.deps(), owner.workspace.id, { email: owner.account.email, role: 'member' });
      },
    ],
    [
      'is removed',
      async () => {
        const { token } = await memberOf(world, owner.workspace, 'owner');
        await dashboard(token).delete(`/workspace/members/${owner.account.id}`);
      },
    ],
  ])('is refused without a call to Stripe if the person %s after starting the connection', async (_, change) => {
    const state = await begin(user, brand);
    await change();
    stripe.requests.length = 0;
    expect(locationOf(await comeBack({ state, code: 'ac_1' }))).toBe(settings('error&reason=invalid_state'));
    expect(stripe.requests).toEqual([]);
    expect(await world.items(keys.processorAccount(`acct_${brand.program.id}`).pk)).toEqual([]);
  });

  it('redirects with the reason denied if the person declined on Stripe’s page', async () => {
    const reply = await comeBack({
      state: await begin(user, brand),
      error: 'access_denied',
      error_description: 'The user denied',
    });
    expect(locationOf(reply)).toBe(settings('error&reason=denied'));
    expect(await accountOf()).toBeNull();
  });

  it.each<[string, () => unknown]>([
    [
      'refuses the code',
      () => stripe.answer('/oauth/token', { status: 400, body: { error: 'invalid_grant', error_description: 'Used' } }),
    ],
    ['fails', () => stripe.answer('/oauth/token', { status: 500, body: {} })],
    ['drops the connection', () => stripe.answer('/oauth/token', 'hangUp')],
    ['returns no account', () => stripe.answer('/oauth/token', { status: 200, body: {} })],
    [
      'does not return the account’s data',
      () => stripe.answer(`/v1/accounts/acct_${brand.program.id}`, { status: 403, body: { error: {} } }),
    ],
  ])('redirects with a reason and connects nothing if Stripe %s', async (_, fail) => {
    fail();
    expect(locationOf(await comeBack({ state: await begin(user, brand), code: 'ac_1' }))).toBe(
      settings('error&reason=exchange_failed'),
    );
    expect(await accountOf()).toBeNull();
  });

  it('redirects with a reason if Stripe sends no code', async () => {
    expect(locationOf(await comeBack({ state: await begin(user, brand) }))).toBe(
      settings('error&reason=exchange_failed'),
    );
  });
});

const connectedNow = async () => {
  const state = await begin(user, brand);
  stripe.letIn(`acct_left_${brand.program.id}`);
  await comeBack({ state, code: 'ac_1' });
  return `acct_left_${brand.program.id}`;
};

describe('disconnecting the last program that uses a Stripe account', () => {
  const DEAUTHORIZE = '/oauth/deauthorize';

  it('also revokes the platform’s access at Stripe', async () => {
    const accountId = await connectedNow();
    stripe.answer(DEAUTHORIZE, { status: 200, body: { stripe_user_id: accountId } });
    const { body } = await user.delete(path);
    expect(body.data).toMatchObject({ connected: false, account_id: null, deauthorized: true });
    const asked = stripe.requests.at(-1)!;
    expect([asked.path, Object.fromEntries(new URLSearchParams(asked.body))]).toEqual([
      DEAUTHORIZE,
      { client_id: 'ca_platform', stripe_user_id: accountId },
    ]);
    expect((await user.delete(path)).body.data).not.toHaveProperty('deauthorized');
  });

  it.each([
    ['refuses', { status: 401, body: { error: 'invalid_client' } } as const],
    ['drops the connection', 'hangUp' as const],
  ])('succeeds and reports deauthorized: false if Stripe %s', async (_, answer) => {
    await connectedNow();
    stripe.answer(DEAUTHORIZE, answer);
    expect((await user.delete(path)).body.data).toMatchObject({ connected: false, deauthorized: false });
    expect(await accountOf()).toBeNull();
  });
});
