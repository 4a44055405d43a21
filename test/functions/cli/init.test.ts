import { beforeAll, describe, expect, it } from 'vitest';
import { handler as init } from '#functions/cli/init.ts';
import { removeMember } from '#lib/service/people/workspaces/remove-member.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { type Member, memberOf, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let owner: Member;
beforeAll(async () => {
  owner = await ownerOf(world);
});

const body = { name: 'My SaaS', domain: 'example.com', commission_type: 'recurring_percent', commission_rate: 20 };

/** Sends init as an account without other requests in this minute. */
async function create(fields: object, by?: Member) {
  const { token } = by ?? (await ownerOf(world));
  return send(init, { key: token, body: fields });
}
const refusal = (status: number, message: string) => ({
  status,
  headers: countedHeaders(60),
  body: platformError(status, message),
});

describe('POST cli/init answers 200', () => {
  it('and creates a program without returning its program key', async () => {
    const own = await ownerOf(world);
    const reply = await create({ ...body, duration_months: 12 }, own);
    const { program_id: id } = reply.body.data;
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: {
        data: {
          program_id: expect.any(Number),
          program_slug: 'my-saas',
          name: 'My SaaS',
          domain: 'example.com',
          status: 'active',
          commission_type: 'recurring_percent',
          commission_rate: 20,
          duration_months: 12,
          attribution_window_days: 60,
          lead_auth: 'server_required',
          api_token_masked: expect.stringMatching(/^aff_\*{4}[0-9A-Za-z]{4}$/),
          api_key_url: `https://track.test/programs/${id}/settings#api-key`,
        },
      },
    });
    const [program] = await world.items(`PROGRAM#${id}`);
    expect(program).toMatchObject({
      workspaceId: own.workspace.id,
      allowedOrigins: ['https://example.com', 'https://*.example.com'],
      holdPeriodDays: 15,
      autoApprove: true,
      createdAt: NOW.toISOString(),
    });
    expect(program).not.toHaveProperty('keyRotatedAt');
    expect(await world.items(`CREDENTIAL#${String(program?.keyHash)}`)).toMatchObject([{ programId: id }]);
  });

  it.each([
    ['a sandbox program if sandbox is exactly true', true, true],
    ['an ordinary program if sandbox is a text', 'true', undefined],
    ['an ordinary program if sandbox is absent', undefined, undefined],
  ])('and creates %s', async (_, sandbox, isSandbox) => {
    const { program_id: id } = (await create({ ...body, sandbox })).body.data;
    expect((await world.items(`PROGRAM#${id}`))[0]?.isSandbox).toBe(isSandbox);
  });

  it('and creates another program each time', async () => {
    const [first, second] = [await create(body, owner), await create(body, owner)];
    expect(second.body.data.program_id).toBeGreaterThan(first.body.data.program_id);
  });

  it.each([
    ['as a number', Number],
    ['in decimal', String],
    ['as null', () => null],
  ])('and accepts the id of the caller’s workspace, or null, as advertiser_id (sent %s)', async (_, spell) => {
    const own = await ownerOf(world);
    expect((await create({ ...body, advertiser_id: spell(own.workspace.id) }, own)).status).toBe(200);
  });

  it.each([
    [{ name: '  My SaaS ' }, { name: 'My SaaS', program_slug: 'my-saas' }],
    [{ name: '日本' }, { name: '日本' }],
    [{ name: 'n'.repeat(500) }, { name: 'n'.repeat(120) }],
    [{ domain: 'HTTPS://Example.com/path/?q#h' }, { domain: 'example.com' }],
    [{ domain: ' example.com:8443/ ' }, { domain: 'example.com:8443' }],
    [{ domain: 'my_app.test' }, { domain: 'my_app.test' }],
    [{ domain: 'd'.repeat(5_000) }, { domain: 'd'.repeat(253) }],
    [
      { commission_type: 'percent', commission_rate: 250 },
      { commission_type: 'percent', commission_rate: 250 },
    ],
    [
      { commission_type: 'fixed', commission_rate: 0.00005 },
      { commission_type: 'fixed', commission_rate: 0.0001 },
    ],
    [{ commission_type: 'recurring_fixed' }, { commission_type: 'recurring_fixed' }],
    [{}, { duration_months: null, attribution_window_days: 60 }],
    [{ duration_months: 0 }, { duration_months: null }],
    [{ duration_months: 120 }, { duration_months: 120 }],
    [{ duration_months: 121 }, { duration_months: null }],
    [{ duration_months: 1.5 }, { duration_months: null }],
    [{ duration_months: '12' }, { duration_months: null }],
    [{ duration_months: -1 }, { duration_months: null }],
    [{ attribution_window_days: 1 }, { attribution_window_days: 1 }],
    [{ attribution_window_days: 365 }, { attribution_window_days: 365 }],
    [{ attribution_window_days: 0 }, { attribution_window_days: 60 }],
    [{ attribution_window_days: 366 }, { attribution_window_days: 60 }],
    [{ attribution_window_days: '30' }, { attribution_window_days: 60 }],
    [{ cookie_duration: 30 }, { attribution_window_days: 30 }],
    [{ attribution_window_days: 10, cookie_duration: 30 }, { attribution_window_days: 10 }],
    [
      { status: 'paused', lead_auth: 'browser_allowed' },
      { status: 'active', lead_auth: 'server_required' },
    ],
  ])('and stores the fields %j as %j', async (fields, expected) => {
    expect((await create({ ...body, ...fields })).body.data).toMatchObject(expected);
  });
});

const invalid = (value: string) =>
  `Invalid commission_type: ${value}. Valid: percent, fixed, recurring_percent, recurring_fixed`;

describe('POST cli/init answers 400', () => {
  const missing = 'Missing required fields: name, domain, commission_type, commission_rate';
  const positive = 'commission_rate must be a positive number';

  it.each<[object, string]>([
    [{ name: undefined }, missing],
    [{ name: null }, missing],
    [{ name: ' ' }, missing],
    [{ name: 7 }, missing],
    [{ name: 'a\u001b[31mb' }, 'name must be a string of 1 to 120 characters'],
    [{ name: 'a\u202eb', commission_type: 'other' }, 'name must be a string of 1 to 120 characters'],
    [{ domain: undefined }, missing],
    [{ domain: '' }, missing],
    [{ domain: ['example.com'] }, missing],
    [{ domain: 'https:///' }, missing],
    [{ commission_type: undefined }, missing],
    [{ commission_rate: undefined }, missing],
    [{ commission_rate: null }, missing],
    [{ commission_type: 'percentage' }, invalid('percentage')],
    [{ commission_type: 'PERCENT' }, invalid('PERCENT')],
    [{ commission_type: 5 }, invalid('5')],
    [{ commission_rate: 0 }, positive],
    [{ commission_rate: -1 }, positive],
    [{ commission_rate: 0.00001 }, positive],
    [{ commission_rate: '20' }, positive],
    [{ commission_rate: true }, positive],
  ])('for %j', async (fields, message) => {
    expect(await create({ ...body, ...fields })).toEqual(refusal(400, message));
  });

  it.each([
    ['missing fields before the type', { name: undefined, commission_type: 'other' }, missing],
    ['the type before the rate', { commission_type: 'other', commission_rate: 0 }, invalid('other')],
  ])('and reports %s', async (_, fields, message) => {
    expect((await create({ ...body, ...fields })).body).toEqual(platformError(400, message));
  });

  it('for a body that is not a JSON object, and creates nothing', async () => {
    const own = await ownerOf(world);
    expect(await send(init, { key: own.token, body: '[]' })).toEqual(refusal(400, 'Invalid JSON body'));
    await create({ ...body, commission_rate: 0 }, own);
    const isOwn = ({ sk, workspaceId }: Record<string, unknown>) =>
      sk === 'PROGRAM' && workspaceId === own.workspace.id;
    expect((await allItems(world)).filter(isOwn)).toEqual([]);
  });
});

describe('POST cli/init answers 403', () => {
  const foreign = refusal(403, 'advertiser_id does not match the authenticated account');

  it.each([0, -1, 1.5, '', 'x', '7x', true, {}, Number.MAX_SAFE_INTEGER])(
    'for the advertiser_id %j, which is no workspace of the caller, even if other fields are missing',
    async (id) => {
      expect(await create({ advertiser_id: id })).toEqual(foreign);
    },
  );

  it('for the advertiser_id of another workspace', async () => {
    expect(await create({ ...body, advertiser_id: owner.workspace.id })).toEqual(foreign);
  });

  it('for a caller without a workspace, regardless of the body', async () => {
    const noAdvertiser = platformError(403, 'No advertiser account found for this user');
    for (const sent of [body, '{', { advertiser_id: owner.workspace.id }]) {
      const { token } = await signedInAs(world);
      expect((await send(init, { key: token, body: sent })).body).toEqual(noAdvertiser);
    }
  });

  it('for a person who left their workspace', async () => {
    const member = await memberOf(world, owner.workspace);
    expect((await create(body, member)).status).toBe(200);
    await removeMember(world.deps(), owner.workspace.id, { accountId: member.account.id });
    expect((await create(body, member)).body).toEqual(platformError(403, 'No advertiser account found for this user'));
  });
});
