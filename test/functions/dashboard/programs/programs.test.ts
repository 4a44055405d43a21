import { describe, expect, it, beforeAll } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { memberOf, ownerOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, runChain } from '#test/support/programs/integration.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { markedBrand } from '#test/support/programs/rotation.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { handler as address } from '#functions/dashboard/address/get.ts';
import { newProgramRow } from '#test/support/programs/program-row.ts';

const required = { name: 'My SaaS', domain: 'example.com', commission_type: 'percent', commission_rate: 20 };

const world = openedWorld();

describe('POST /programs', () => {
  it('creates a program with the default settings, and shows its program key only masked', async () => {
    const { token, workspace } = await ownerOf(world);
    const reply = await dashboard(token).post('/programs', required);
    expect(reply).toEqual(
      dataReply({
        id: expect.any(Number),
        slug: 'my-saas',
        name: 'My SaaS',
        domain: 'example.com',
        ...newProgramRow,
        allowed_origins: ['https://example.com', 'https://*.example.com'],
        api_token_masked: expect.stringMatching(/^aff_\*{4}[0-9A-Za-z]{4}$/),
        key_rotated_at: null,
        key_last_used_at: null,
      }),
    );
    const { id, api_token_masked: keyMasked } = reply.body.data;
    const [program] = await world.items(`PROGRAM#${id}`);
    expect(program).toEqual({
      pk: `PROGRAM#${id}`,
      sk: 'PROGRAM',
      gsi1pk: `WORKSPACE#${workspace.id}#PROGRAMS`,
      gsi1sk: `${NOW.toISOString()}#${id}`,
      id,
      workspaceId: workspace.id,
      slug: 'my-saas',
      name: 'My SaaS',
      domain: 'example.com',
      status: 'active',
      commissionType: 'percent',
      commissionRate: 20,
      currency: 'USD',
      attributionWindowDays: 60,
      leadAuth: 'server_required',
      allowedOrigins: ['https://example.com', 'https://*.example.com'],
      holdPeriodDays: 15,
      autoApprove: true,
      partnerCount: 0,
      removedPartnerIds: [],
      listsAddresses: true,
      listsWords: true,
      emailSalt: expect.stringMatching(/^[\w-]{43}$/),
      keyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      keyMasked,
      factsSince: null,
      createdAt: NOW.toISOString(),
      updatedAt: NOW.toISOString(),
    });
    const credential = `CREDENTIAL#${String(program?.keyHash)}`;
    expect(await world.items(credential)).toEqual([
      { pk: credential, sk: credential, class: 'programKey', programId: id },
    ]);
  });

  it('accepts every field, also from a member', async () => {
    const { workspace } = await ownerOf(world);
    const { token } = await memberOf(world, workspace);
    const wanted = {
      name: 'Everything',
      domain: 'everything.test:8443',
      status: 'paused',
      commission_type: 'recurring_fixed',
      commission_rate: 149.5,
      duration_months: 12,
      attribution_window_days: 365,
      lead_auth: 'browser_allowed',
      allowed_origins: ['https://app.everything.test'],
      hold_period_days: 0,
      auto_approve: false,
      currency: 'VND',
      commission_base: 'excluding_tax',
      code_precedence: 'code_first',
    };
    const { body } = await dashboard(token).post('/programs', wanted);
    expect(body.data).toMatchObject(wanted);
    expect((await dashboard(token).get(`/programs/${body.data.id}`)).body).toEqual(body);
  });

  it('ignores fields that the caller cannot set', async () => {
    const { token } = await ownerOf(world);
    const others = { id: 1, slug: 'mine', workspace_id: 1, api_token_masked: 'x', unknown: true };
    const { body } = await dashboard(token).post('/programs', { ...required, ...others });
    expect(body.data).toMatchObject({ slug: 'my-saas' });
    expect(body.data.api_token_masked).toMatch(/^aff_/);
  });
});

describe('GET /programs/{id}', () => {
  it('shows the program to everyone in the workspace, with its program key masked', async () => {
    const brand = await world.brand();
    const owner = await ownerOfBrand(world, brand);
    const member = await memberOf(world, owner.workspace);
    const reply = await dashboard(owner.token).get(`/programs/${brand.program.id}`);
    expect(reply).toEqual(
      dataReply(expect.objectContaining({ id: brand.program.id, api_token_masked: `aff_****${brand.key.slice(-4)}` })),
    );
    expect(JSON.stringify(reply)).not.toContain(sha256(brand.key));
    expect((await dashboard(member.token).get(`/programs/${brand.program.id}`)).body).toEqual(reply.body);
  });
});

describe('GET /programs', () => {
  it('lists only the programs of the caller’s workspace, oldest first', async () => {
    await world.brand();
    const { token } = await ownerOf(world);
    const user = dashboard(token);
    expect((await user.get('/programs')).body).toEqual({ data: [], meta: { next_cursor: null } });
    const created = [];
    for (const [index, name] of ['Third', 'Second', 'First'].entries()) {
      const at = new Date(NOW.getTime() - index * 60_000);
      created.unshift((await user.post('/programs', { ...required, name }, { at })).body.data);
    }
    const reply = await user.get('/programs');
    expect(reply.body).toEqual({ data: created, meta: { next_cursor: null } });
    expect((await everyPage(user, '/programs?limit=2')).map((page) => page.map(({ name }) => name))).toEqual([
      ['First', 'Second'],
      ['Third'],
    ]);
  });
});

// Tests of readiness and verification in the dashboard. test/functions/cli tests the chain itself.

let brand: Brand;
beforeAll(async () => {
  brand = await world.brand();
});

describe('GET readiness for the dashboard', () => {
  it('returns to owners and members what it returns to the program key, inside a data field', async () => {
    await clicked(brand);
    await runChain(brand.key);
    const { body } = await askReadiness(brand.key);
    expect(body.state).toBe('live_verified');
    const owner = await ownerOfBrand(world, brand);
    const member = await memberOf(world, owner.workspace);
    for (const { token } of [owner, member]) {
      for (const query of ['', '?force_recheck=true', '?force_recheck=1']) {
        const reply = await dashboard(token).get(`/programs/${brand.program.id}/readiness${query}`);
        expect(reply).toMatchObject({ status: 200, body: { data: body } });
        expect(Object.keys(reply.body)).toEqual(['data']);
      }
    }
  });

  it('has no warning about a program key marked for rotation, which GET /programs/{id} has', async () => {
    const marked = await markedBrand(world);
    const { token } = await ownerOfBrand(world, marked);
    const reply = await dashboard(token).get(`/programs/${marked.program.id}/readiness`);
    expect(reply).toMatchObject({ status: 200, headers: countedHeaders(300) });
    expect(Object.keys(reply.body)).toEqual(['data']);
  });
});

const addressOf = async (ip: string) => send(address, { method: 'GET', key: (await ownerOf(world)).token, ip });

describe('GET /address, which shows callers their own IP address, answers 200', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:7:7::1', '2001:db8:7:7::1'],
  ])('to a request from %s', async (ip, told) => {
    expect(await addressOf(ip)).toEqual(dataReply({ address: told }));
  });
});
