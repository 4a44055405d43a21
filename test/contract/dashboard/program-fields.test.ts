import { beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '#test/support/cases/cases.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { ruleDefaults } from '#test/support/programs/program-row.ts';

// The messages of the program's fields, the same on POST and PATCH.

const required = { name: 'Acme', domain: 'acme.test', commission_type: 'fixed', commission_rate: 20 };

const name = 'name must be a string of 1 to 120 characters';
const domain = 'domain must be a host name such as example.com';
const rate = 'commission_rate must be a positive number';
const percent = 'commission_rate must be at most 100 for percent types';
const duration = 'duration_months must be an integer from 0 to 120';
const windowDays = 'attribution_window_days must be an integer from 1 to 365';
const origins = 'allowed_origins must be a list of up to 20 origins such as https://app.example.com';
const hold = 'hold_period_days must be an integer from 0 to 90';
const minimum = 'minimum_payout_cents must be an integer from 0 to 100000000';
const lead = 'lead_commission_cents must be an integer from 0 to 100000000';
const tiers = 'tiers must be a list of up to 10 steps {from_sales, rate} with rising from_sales';
const step = (from: number) => ({ from_sales: from, rate: 10 });
const payoutDays = 'payout_days must be a list of up to 4 days of the month from 1 to 28';
const note = 'statement_note must be a string of at most 2000 characters';
const approve = 'auto_approve must be a boolean';
const status = (sent: string) => `Invalid status: ${sent}. Valid: active, paused`;
const type = (sent: string) =>
  `Invalid commission_type: ${sent}. Valid: percent, fixed, recurring_percent, recurring_fixed`;
const leadAuth = (sent: string) => `Invalid lead_auth: ${sent}. Valid: server_required, browser_allowed`;

const base = (sent: string) => `Invalid commission_base: ${sent}. Valid: gross, excluding_tax`;

const rules = 'rules must be an object such as {"velocity": "hold"}';
const referrers = 'banned_referrers must be a list of up to 100 hosts';
const campaigns = 'paid_ad_allowed_campaigns must be a list of up to 100 values';
const velocity = 'velocity_clicks must be an integer from 10 to 100000';
const sharedClick = 'shared_click_payers must be an integer from 1 to 1000';
const ignored = 'ignored_addresses must be a list of up to 50 addresses or CIDR ranges';
const ruleNames = Object.keys(ruleDefaults);
const listOf = (length: number, entry: (index: number) => string) => Array.from({ length }, (_, at) => entry(at));

const wrongIntegers = ['1', 1.5, 1e300, true, {}, [1]];
const origin = (index: number) => `https://o${index}.test`;

/** Values of one field that are refused with the same message. */
const wrong = (field: string, text: string | ((sent: string) => string), values: unknown[]) =>
  values.map((value): [object, string] => [
    { [field]: value },
    typeof text === 'string' ? text : text(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);

const refusals = [
  // Names, hosts and origins are tested in test/rules/ground.
  ...wrong('name', name, ['', '  ', 'x'.repeat(121), 7, {}, ['x'], 'a\u202eb']),
  ...wrong('domain', domain, ['', 'two words', 'https://', 'user@a.test', 'a.test:99999', '[::1]', '*.a.test', 7, {}]),
  ...wrong('status', status, ['', 'Active', 'deleted', 7, true, ['active'], {}]),
  ...wrong('commission_type', type, ['', 'Percent', 'recurring', 7, ['percent']]),
  ...wrong('commission_rate', rate, [0, -1, 0.00004, '20', true, {}, [20], 1e300]),
  ...wrong('duration_months', duration, [-1, 121, ...wrongIntegers]),
  ...wrong('attribution_window_days', windowDays, [0, -1, 366, ...wrongIntegers]),
  ...wrong('lead_auth', leadAuth, ['', 'browser', 7, true]),
  ...wrong('commission_base', base, ['', 'Gross', 'net', 7, true]),
  ...wrong('allowed_origins', origins, ['https://a.test', {}, 7, [7], [null], ['']]),
  ...wrong('allowed_origins', origins, [
    ['https://a.test/x'],
    ['a.test'],
    ['ftp://a.test'],
    ['null'],
    ['*'],
    ['https://*'],
  ]),
  ...wrong('allowed_origins', origins, [
    ['https://*.*.test'],
    ['https://a.*.test'],
    ['https://*a.test'],
    ['https://u@a.test'],
  ]),
  // Anyone can register names below a public suffix.
  ...wrong('allowed_origins', origins, [
    ['https://*.com'],
    ['https://*.github.io'],
    ['https://a.test', 'https://*.ck'],
  ]),
  ...wrong('allowed_origins', origins, [['https://a.test', 'b'], listOf(21, origin)]),
  ...wrong('hold_period_days', hold, [-1, 91, ...wrongIntegers]),
  ...wrong('code_precedence', (sent) => `Invalid code_precedence: ${sent}. Valid: link_first, code_first`, ['', 7]),
  ...wrong('auto_approve', approve, ['true', 1, 0, {}]),
  ...wrong('terms_apply', (sent) => `Invalid terms_apply: ${sent}. Valid: current, first_sale`, ['', 'first', 7, true]),
  ...wrong('minimum_payout_cents', minimum, [-1, 100_000_001, ...wrongIntegers]),
  ...wrong('lead_commission_cents', lead, [-1, 100_000_001, ...wrongIntegers]),
  ...wrong('tiers', tiers, [7, {}, 'x', [7], [null], [{}], [{ from_sales: 1 }], [{ rate: 1 }]]),
  ...wrong('tiers', tiers, [
    ...[0, 1.5, '1'].map((from) => [{ from_sales: from, rate: 1 }]),
    ...[0, 101, '1', 0.00004].map((rateOfStep) => [{ from_sales: 1, rate: rateOfStep }]),
    [step(2), step(1)],
    [step(1), step(1)],
    Array.from({ length: 11 }, (_, at) => step(at + 1)),
  ]),
  ...wrong('join', (sent) => `Invalid join: ${sent}. Valid: closed, apply, open`, ['', 'invite', 7, true]),
  ...wrong('links_per_partner', 'links_per_partner must be an integer from 0 to 50', [-1, 51, ...wrongIntegers]),
  ...wrong('partner_terms', 'partner_terms must be a string of at most 20000 characters', ['x'.repeat(20_001), 7, {}]),
  ...wrong('payout_days', payoutDays, [1, '1', {}, [0], [29], [1.5], ['1'], [null], [1, 1], [1, 2, 3, 4, 5]]),
  ...wrong('statement_note', note, ['x'.repeat(2_001), 7, {}, ['x']]),
  ...wrong('share_customer_emails', 'share_customer_emails must be a boolean', ['true', 1, 0, {}]),
  ...wrong('sandbox', 'sandbox must be a boolean', ['true', 1, 0, {}]),
  ...wrong('rules', rules, ['hold', 7, true, [], ['velocity']]),
  ...ruleNames.flatMap((rule) =>
    ['', 'Hold', 'on', 7, true, ['hold'], {}].map((value): [object, string] => [
      { rules: { [rule]: value } },
      `Invalid ${rule}: ${typeof value === 'string' ? value : JSON.stringify(value)}. Valid: off, flag, hold`,
    ]),
  ),
  ...wrong('banned_referrers', referrers, ['a.test', {}, 7, [7], [null], [''], ['a.test', 'b c']]),
  ...wrong('banned_referrers', referrers, [['*'], ['a.*.test'], ['a.test:8080'], listOf(101, (at) => `a${at}.test`)]),
  ...wrong('paid_ad_allowed_campaigns', campaigns, ['brand', {}, 7, [7], [null], [''], ['  '], ['x'.repeat(201)]]),
  ...wrong('paid_ad_allowed_campaigns', campaigns, [listOf(101, String)]),
  ...wrong('velocity_clicks', velocity, [9, 100_001, ...wrongIntegers]),
  ...wrong('shared_click_payers', sharedClick, [0, 1_001, ...wrongIntegers]),
  ...wrong('ignored_addresses', ignored, ['203.0.113.7', {}, 7, [7], [null], [''], ['a.test'], ['203.0.113.7', 'x']]),
  ...wrong('ignored_addresses', ignored, [listOf(51, (at) => `203.0.113.${at}`)]),
  // The required fields contain the type `fixed`, which cannot have tiers.
  ...wrong('tiers', 'tiers need a percent type', [[step(1)]]),
];

/** Values of a field that are stored unchanged. */
const bounds = (field: string, ...values: unknown[]) => values.map((value): [object] => [{ [field]: value }]);

const accepted: [object, object?][] = [
  [{ name: ' x ' }, { name: 'x' }],
  [{ name: 'ü'.repeat(120) }],
  [{ domain: ' https://Example.com/path/?q#h ' }, { domain: 'example.com' }],
  [{ domain: 'http://example.com:8080/' }, { domain: 'example.com:8080' }],
  [{ domain: 'localhost:3000' }],
  [{ domain: 'bücher.test' }, { domain: 'xn--bcher-kva.test' }],
  ...bounds('status', 'active', 'paused'),
  ...bounds('commission_type', 'fixed', 'recurring_fixed', 'percent', 'recurring_percent'),
  [{ commission_rate: 12.34565 }, { commission_rate: 12.3457 }],
  [{ commission_rate: 12.34564 }, { commission_rate: 12.3456 }],
  [{ commission_rate: 0.00005 }, { commission_rate: 0.0001 }],
  [{ commission_rate: 1.00005 }, { commission_rate: 1.0001 }],
  [{ commission_rate: 5000 }],
  [{ commission_type: 'percent', commission_rate: 100.00004 }, { commission_rate: 100 }],
  [{ duration_months: 0 }, { duration_months: null }],
  ...bounds('duration_months', 120),
  ...bounds('attribution_window_days', 1, 365),
  [{ lead_auth: 'browser_allowed' }],
  ...bounds('code_precedence', 'link_first', 'code_first'),
  [{ allowed_origins: [] }],
  [{ allowed_origins: listOf(20, origin) }],
  [
    { allowed_origins: ['HTTPS://App.Example.com:443', 'http://x.test:80', 'http://localhost:3000'] },
    { allowed_origins: ['https://app.example.com', 'http://x.test', 'http://localhost:3000'] },
  ],
  [
    { allowed_origins: ['https://*.Bücher.test', 'https://*.a.test:8443'] },
    { allowed_origins: ['https://*.xn--bcher-kva.test', 'https://*.a.test:8443'] },
  ],
  [
    { allowed_origins: ['https://a.test', 'https://A.test', 'https://a.test:443'] },
    { allowed_origins: ['https://a.test'] },
  ],
  [{ allowed_origins: ['https://*.example.co.uk', 'https://*.example.github.io', 'https://github.io'] }],
  [{ allowed_origins: ['http://*.localhost', 'http://*.localhost:3000', 'https://*.test', 'http://*.127.0.0.1:3000'] }],
  ...bounds('hold_period_days', 0, 90),
  [{ auto_approve: false }],
  ...bounds('minimum_payout_cents', 0, 100_000_000),
  ...bounds('lead_commission_cents', 0, 100_000_000),
  [{ terms_apply: 'first_sale' }],
  ...bounds('join', 'apply', 'open'),
  ...bounds('links_per_partner', 0, 50),
  [{ partner_terms: 'x'.repeat(20_000) }, { partner_terms: 'x'.repeat(20_000), partner_terms_version: 1 }],
  [{ partner_terms: '' }, { partner_terms: null, partner_terms_version: null }],
  [{ share_customer_emails: true }],
  [{ sandbox: false }],
  [{ rules: {} }, { rules: ruleDefaults }],
  [{ rules: { velocity: null, unknown: 'hold' } }, { rules: ruleDefaults }],
  ...ruleNames.flatMap((rule) =>
    ['off', 'flag', 'hold'].map((action): [object, object] => [
      { rules: { [rule]: action } },
      { rules: { ...ruleDefaults, [rule]: action } },
    ]),
  ),
  [{ banned_referrers: [] }],
  [{ banned_referrers: listOf(100, (at) => `a${at}.test`) }],
  [
    { banned_referrers: [' Coupons.Test ', 'coupons.test', '*.Bücher.test', 'https://a.test/x'] },
    { banned_referrers: ['coupons.test', '*.xn--bcher-kva.test', 'a.test'] },
  ],
  [{ paid_ad_allowed_campaigns: [] }],
  [{ paid_ad_allowed_campaigns: listOf(100, (at) => 'x'.repeat(197) + String(at + 100)) }],
  [
    { paid_ad_allowed_campaigns: [' Brand ', 'brand', 'Brand', '\ud800'] },
    { paid_ad_allowed_campaigns: ['Brand', 'brand', '\ufffd'] },
  ],
  ...bounds('velocity_clicks', 10, 100_000),
  ...bounds('shared_click_payers', 1, 1_000),
  [{ ignored_addresses: [] }],
  [{ ignored_addresses: listOf(50, (at) => `203.0.113.${at}`) }],
  [{ ignored_addresses: [' 203.0.113.7 ', '203.0.113.7'] }, { ignored_addresses: ['203.0.113.7'] }],
  [{ tiers: [] }],
  [{ commission_type: 'percent', tiers: Array.from({ length: 10 }, (_, at) => step(at + 1)) }],
  [
    { commission_type: 'recurring_percent', tiers: [{ from_sales: 1, rate: 99.99996, x: 1 }] },
    { tiers: [{ from_sales: 1, rate: 100 }] },
  ],
];

const optional = [...new Set(accepted.flatMap(([fields]) => Object.keys(fields)))].filter(
  (field) => !(field in required),
);

const world = openedWorld();

/** A program with the required fields, and its owner. */
async function owned(): Promise<{ user: Dashboard; email: string; url: string; program: object }> {
  const { token, account } = await ownerOf(world);
  const user = dashboard(token);
  const { body } = await user.post('/programs', required);
  return { user, email: account.email, url: `/programs/${body.data.id}`, program: body.data };
}

describe('the request to create or change a program is refused with 400', () => {
  // One program for all rows, because no row changes it. Each row has a separate session because of the rate limit.
  let shared: Awaited<ReturnType<typeof owned>>;
  beforeAll(async () => {
    shared = await owned();
  });

  for (const [at, [fields, message]] of refusals.entries())
    it(`with ${JSON.stringify(fields)}: ${message}`, everyNth(4, at), async () => {
      const user = dashboard((await signedInAs(world, shared.email)).token);
      const error = refusal(400, message);
      expect(await user.post('/programs', { ...required, ...fields })).toEqual({
        ...error,
        headers: countedHeaders(300, 1),
      });
      expect(await user.patch(shared.url, fields)).toEqual({ ...error, headers: countedHeaders(300, 2) });
      expect((await user.get('/programs')).body.data).toEqual([shared.program]);
    });

  it.each([...Object.keys(required), 'all of them'])('if %s is missing when the program is created', async (field) => {
    const { user } = await owned();
    const missing = platformError(400, 'Missing required fields: name, domain, commission_type, commission_rate');
    const sent = field in required ? { ...required, [field]: null } : {};
    expect((await user.post('/programs', { ...sent, status: 'wrong' })).body).toEqual(missing);
  });

  it.each([
    [{ commission_type: 'percent', commission_rate: 100.0001 }],
    [{ commission_type: 'recurring_percent', commission_rate: 101 }],
  ])('with a commission of more than 100 percent: %j', async (policy) => {
    const { user, url } = await owned();
    expect((await user.post('/programs', { ...required, ...policy })).body).toEqual(platformError(400, percent));
    expect((await user.patch(url, policy)).body).toEqual(platformError(400, percent));
  });

  it('if a changed type with the stored rate, or a changed rate with the stored type, gives more than 100 percent', async () => {
    const { user, url } = await owned();
    await user.patch(url, { commission_rate: 101 });
    expect((await user.patch(url, { commission_type: 'percent' })).body).toEqual(platformError(400, percent));
    expect((await user.patch(url, { commission_type: 'percent', commission_rate: 100 })).status).toBe(200);
    expect((await user.patch(url, { commission_rate: 101 })).body).toEqual(platformError(400, percent));
    expect((await user.patch(url, { commission_type: 'fixed', commission_rate: 101 })).status).toBe(200);
  });

  it('if it changes whether the program is a sandbox', async () => {
    const { user, url } = await owned();
    const { body } = await user.post('/programs', { ...required, sandbox: true });
    expect(body.data).toMatchObject({ sandbox: true });
    const sandbox = `/programs/${body.data.id}`;
    const refused = platformError(400, 'sandbox cannot be changed');
    expect((await user.patch(sandbox, { name: 'Changed', sandbox: false })).body).toEqual(refused);
    expect((await user.patch(url, { name: 'Changed', sandbox: true })).body).toEqual(refused);
    expect((await user.get(sandbox)).body).toEqual(body);
    expect((await user.patch(sandbox, { sandbox: true })).body).toEqual(body);
  });

  it('with the message for the first of several invalid fields, in the documented order', async () => {
    const order: [string, unknown, string][] = [
      ['name', '', name],
      ['domain', '', domain],
      ['status', 'x', status('x')],
      ['commission_type', 'x', type('x')],
      ['commission_rate', 0, rate],
      ['duration_months', -1, duration],
      ['attribution_window_days', 0, windowDays],
      ['lead_auth', 'x', leadAuth('x')],
      ['allowed_origins', 'x', origins],
      ['hold_period_days', -1, hold],
      ['auto_approve', 'x', approve],
    ];
    const { user, url } = await owned();
    for (const [at, [, , message]] of order.entries()) {
      // Sent in the opposite order, because the order of object keys has no meaning.
      const wrongFields = Object.fromEntries(
        order
          .slice(at)
          .toReversed()
          .map(([field, value]) => [field, value]),
      );
      expect((await user.patch(url, wrongFields)).body).toEqual(platformError(400, message));
    }
  });

  it('with the message about 100 percent if duration_months, which is checked later, is invalid too', async () => {
    const { user, url } = await owned();
    const policy = { commission_type: 'percent', commission_rate: 101, duration_months: -1 };
    expect((await user.patch(url, policy)).body).toEqual(platformError(400, percent));
  });
});

describe('the request to create or change a program is accepted with 200', () => {
  for (const [at, [fields, kept = fields]] of accepted.entries())
    it(`with ${JSON.stringify(fields)}`, everyNth(4, at), async () => {
      const { user, url } = await owned();
      const { body: created } = await user.post('/programs', { ...required, ...fields });
      expect(created.data).toMatchObject(kept);
      expect((await user.get(`/programs/${created.data.id}`)).body).toEqual(created);
      expect((await user.patch(url, fields)).body.data).toMatchObject(kept);
      expect((await user.get(url)).body.data).toMatchObject(kept);
    });

  it.each(optional)('with the value null for %s, which is treated as absent', async (field) => {
    const { user, program } = await owned();
    const { body } = await user.post('/programs', { ...required, [field]: null });
    expect(body.data).toMatchObject({ ...program, id: body.data.id, api_token_masked: body.data.api_token_masked });
  });

  it.each([
    ['acme.test', ['https://acme.test', 'https://*.acme.test']],
    ['ACME.test:8443', ['https://acme.test:8443', 'https://*.acme.test:8443']],
    ['http://acme.test:80', ['https://acme.test:80', 'https://*.acme.test:80']],
    ['https://acme.test:443', ['https://acme.test', 'https://*.acme.test']],
    ['bücher.test', ['https://xn--bcher-kva.test', 'https://*.xn--bcher-kva.test']],
    ['com', ['https://com']],
    ['co.uk:8443', ['https://co.uk:8443']],
    ['github.io', ['https://github.io']],
    ['acme.github.io', ['https://acme.github.io', 'https://*.acme.github.io']],
  ])('with the domain %s, which sets the allowed origins %j', async (sent, allowed) => {
    const { user } = await owned();
    const { body } = await user.post('/programs', { ...required, domain: sent });
    expect(body.data.allowed_origins).toEqual(allowed);
  });

  it.each([
    ['My SaaS', 'my-saas'],
    ['  Żółw & Söhne 2!', 'żółw-söhne-2'],
    ['!!!', 'program-ID'],
  ])('with the name %s, which sets the slug %s permanently', async (sent, slug) => {
    const { user } = await owned();
    const { body } = await user.post('/programs', { ...required, name: sent });
    const expected = slug.replace('ID', String(body.data.id));
    expect(body.data.slug).toBe(expected);
    expect((await user.patch(`/programs/${body.data.id}`, { name: 'Renamed' })).body.data.slug).toBe(expected);
  });
});
