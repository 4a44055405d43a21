import { describe, expect, it } from 'vitest';
import { handler as preflight } from '#functions/track/preflight.ts';
import { handler as click } from '#functions/track/click.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders, readableBy } from '#test/support/callers/headers.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { type Brand, type World } from '#test/support/programs/world.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { ruleDefaults } from '#test/support/programs/program-row.ts';

const LATER = new Date('2026-11-20T15:00:30.000Z');

const world = openedWorld();

/** A brand and its owner's dashboard. */
async function ownedBrand(settings: Parameters<World['brand']>[0] = {}) {
  const brand = await world.brand(settings);
  const { token, workspace } = await ownerOfBrand(world, brand);
  return { brand, workspace, user: dashboard(token), url: `/programs/${brand.program.id}` };
}

const clickReply = (brand: Brand, origin: string) =>
  send(click, { body: { affiliate_url: brand.affiliateUrl }, headers: { origin } });

/** The allowed origin in the CORS header of a preflight. */
const asked = async (origin: string, at = NOW) =>
  (await send(preflight, { method: 'OPTIONS', headers: { origin }, at })).headers['Access-Control-Allow-Origin'];

describe('PATCH /programs/{id}', () => {
  it('changes the sent fields and the time of the last change', async () => {
    const { user, url } = await ownedBrand();
    const { body: before } = await user.get(url);
    const change = { name: 'Renamed', hold_period_days: 90 };
    expect(await user.patch(url, change, { at: LATER })).toEqual(
      dataReply({ ...before.data, ...change, updated_at: LATER.toISOString() }, 2),
    );
    expect((await user.get(url)).body.data).toMatchObject({ ...change, slug: before.data.slug });
  });

  it('changes every field for an owner, and for a member only fields that do not affect payments', async () => {
    const { user, url, workspace } = await ownedBrand();
    const member = dashboard((await memberOf(world, workspace)).token);
    const open = {
      name: 'Everything',
      domain: 'everything.test',
      status: 'paused',
      allowed_origins: [],
      join: 'apply',
      links_per_partner: 7,
      partner_terms: 'Be fair',
      share_customer_emails: true,
    };
    const paying = {
      commission_type: 'recurring_fixed',
      commission_rate: 500,
      duration_months: 120,
      attribution_window_days: 1,
      lead_auth: 'browser_allowed',
      hold_period_days: 0,
      auto_approve: false,
      currency: 'EUR',
      commission_base: 'excluding_tax',
      code_precedence: 'code_first',
      rules: {
        self_referral: 'hold',
        same_domain: 'flag',
        disposable_email: 'flag',
        paid_ad: 'hold',
        banned_referrer: 'flag',
        velocity: 'hold',
        address_only: 'hold',
      },
      banned_referrers: ['coupons.test', '*.deals.test'],
      paid_ad_allowed_campaigns: ['brand'],
      velocity_clicks: 10,
      shared_click_payers: 2,
      ignored_addresses: ['203.0.113.7'],
      member_approval_cents: 5_000,
    };
    expect((await member.patch(url, open)).body.data).toMatchObject(open);
    expect((await user.patch(url, { ...open, ...paying })).body.data).toMatchObject({ ...open, ...paying });
    expect((await user.get(url)).body.data).toMatchObject({ ...open, ...paying });
  });

  it.each([
    {},
    { rules: {} },
    { rules: { velocity: null } },
    { name: null, commission_rate: null },
    { slug: 'other', id: 7 },
    '',
  ])('changes nothing for the body %j', async (body) => {
    const { brand, user, url } = await ownedBrand();
    const items = await world.items(`PROGRAM#${brand.program.id}`);
    const { body: before } = await user.get(url);
    expect((await user.patch(url, body, { at: LATER })).body).toEqual(before);
    expect(await world.items(`PROGRAM#${brand.program.id}`)).toEqual(items);
  });

  it('changes only the rules for suspicious sales that are sent, even if several requests change rules in parallel', async () => {
    const { brand, user, url } = await ownedBrand();
    await user.patch(url, { rules: { same_domain: 'flag' } });
    const sent = [{ velocity: 'hold' }, { paid_ad: 'flag', velocity: null }, { self_referral: 'off' }];
    const replies = await Promise.all(sent.map((rules) => user.patch(url, { rules })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await user.get(url)).body.data.rules).toEqual({
      ...ruleDefaults,
      self_referral: 'off',
      same_domain: 'flag',
      paid_ad: 'flag',
      velocity: 'hold',
    });
    const items = await world.items(`PROGRAM#${brand.program.id}`);
    const { rules } = items.find(({ sk }) => sk === 'PROGRAM')!;
    expect(rules).toEqual({ self_referral: 'off', same_domain: 'flag', paid_ad: 'flag', velocity: 'hold' });
  });

  it('replaces a list by the sent list', async () => {
    const { user, url } = await ownedBrand();
    await user.patch(url, { banned_referrers: ['a.test', 'b.test'], ignored_addresses: ['203.0.113.7'] });
    const changed = await user.patch(url, { banned_referrers: ['c.test'] });
    expect(changed.body.data).toMatchObject({ banned_referrers: ['c.test'], ignored_addresses: ['203.0.113.7'] });
    const emptied = await user.patch(url, { banned_referrers: [], ignored_addresses: [] });
    expect(emptied.body.data).toMatchObject({ banned_referrers: [], ignored_addresses: [] });
  });

  it('can change other fields of a program whose commission rate, set by the CLI, is above the limit', async () => {
    const { user, url } = await ownedBrand({ commissionRate: 150 });
    expect((await user.patch(url, { status: 'paused' })).body.data).toMatchObject({ commission_rate: 150 });
  });

  it('accepts an origin such as https://*.com only if the program already allows it', async () => {
    const { user, url } = await ownedBrand({ allowedOrigins: ['https://*.com'] });
    const saved = await user.patch(url, { name: 'Renamed', allowed_origins: ['https://*.com', 'https://a.test'] });
    expect(saved.body.data).toMatchObject({ name: 'Renamed', allowed_origins: ['https://*.com', 'https://a.test'] });
    const text = 'allowed_origins must be a list of up to 20 origins such as https://app.example.com';
    const refused = await user.patch(url, { allowed_origins: ['https://*.com', 'https://*.org'] });
    expect(refused.body).toEqual(platformError(400, text));

    await user.patch(url, { allowed_origins: ['https://a.test'] });
    expect((await user.patch(url, { allowed_origins: ['https://*.com'] })).body).toEqual(platformError(400, text));
    expect((await user.get(url)).body.data).toMatchObject({ allowed_origins: ['https://a.test'] });
  });

  it('does not change the allowed origins if the domain changes', async () => {
    const { brand, user, url } = await ownedBrand();
    const { body } = await user.patch(url, { domain: 'https://Moved.test/now/' });
    expect(body.data).toMatchObject({ domain: 'moved.test', allowed_origins: brand.program.allowedOrigins });
  });
});

describe('a change of a program’s allowed origins or window takes effect', () => {
  it('for a browser’s next request: new origins can read the reply, removed ones cannot; preflights follow within a minute', async () => {
    const { brand, user, url } = await ownedBrand();
    const [old, fresh] = [`https://${brand.program.domain}`, `https://app.fresh${brand.program.id}.test`];
    expect([await asked(old), await asked(fresh)]).toEqual([old, undefined]);

    await user.patch(url, { allowed_origins: [`https://*.fresh${brand.program.id}.test`] });
    const inAMinute = new Date(NOW.getTime() + 60_000);
    expect([await asked(old, inAMinute), await asked(fresh, inAMinute)]).toEqual([undefined, fresh]);
    expect((await clickReply(brand, fresh)).headers).toEqual({ ...countedHeaders(60), ...readableBy(fresh) });
    expect((await clickReply(brand, old)).headers).toEqual({ ...countedHeaders(60), Vary: 'Origin' });
  });

  it('only for that program, if another program still allows the removed origin', async () => {
    const shared = 'https://shared.test';
    const [first, second] = [
      await ownedBrand({ allowedOrigins: [shared] }),
      await ownedBrand({ allowedOrigins: [shared] }),
    ];
    await first.user.patch(first.url, { allowed_origins: [] });
    expect(await asked(shared)).toBe(shared);
    expect((await clickReply(first.brand, shared)).headers).not.toHaveProperty('Access-Control-Allow-Origin');
    expect((await clickReply(second.brand, shared)).headers).toMatchObject(readableBy(shared));
  });

  it('for a visitor’s next click, whose reply has the new attribution window', async () => {
    const { brand, user, url } = await ownedBrand();
    await user.patch(url, { attribution_window_days: 7 });
    expect((await clickReply(brand, '')).body.cookie_window_days).toBe(7);
  });
});

describe('parallel changes of a program', () => {
  const fields = [
    { name: 'Raced' },
    { domain: 'raced.test' },
    { hold_period_days: 1 },
    { attribution_window_days: 2 },
    { auto_approve: false },
    { allowed_origins: ['https://raced.test'] },
  ];

  it('are all stored if they change different fields', async () => {
    const { user, url } = await ownedBrand();
    const replies = await Promise.all(fields.map((change) => user.patch(url, change)));
    expect(replies.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect((await user.get(url)).body.data).toMatchObject(Object.assign({}, ...fields));
  });

  it('never leave a percentage above 100 if they change type and rate', async () => {
    const { user, url } = await ownedBrand({ commissionType: 'fixed', commissionRate: 50 });
    const replies = await Promise.all([
      user.patch(url, { commission_type: 'percent' }),
      user.patch(url, { commission_rate: 500 }),
    ]);
    expect(statusesOf(replies)).toEqual([200, 400]);
    const { commission_type: type, commission_rate: rate } = (await user.get(url)).body.data;
    expect([
      ['percent', 50],
      ['fixed', 500],
    ]).toContainEqual([type, rate]);
  });

  it('leave the index of origins and the program with the same origins', async () => {
    const { brand, user, url } = await ownedBrand();
    const lists = [['https://one.race'], ['https://two.race'], ['https://one.race', 'https://two.race'], []];
    await Promise.all(lists.map((list) => user.patch(url, { allowed_origins: list })));
    const kept: string[] = (await user.get(url)).body.data.allowed_origins;
    for (const origin of ['https://one.race', 'https://two.race']) {
      const [item] = await world.items(`ORIGIN#${origin}`);
      const programIds = (item?.programIds ?? new Set()) as Set<number>;
      expect(programIds.has(brand.program.id)).toBe(kept.includes(origin));
    }
  });
});
