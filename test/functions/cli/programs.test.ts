import { keys } from '#lib/service/ground/table/keys.ts';
import { describe, expect, it } from 'vitest';
import { handler as programs } from '#functions/cli/programs.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createProgram, type NewProgram } from '#lib/service/programs/program/create-program.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { countedHeaders, jsonHeaders } from '#test/support/callers/headers.ts';
import { ownerOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { handler } from '#functions/cli/payment-connect.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { platformError } from '#test/support/servers/errors.ts';

const world = openedWorld();

const list = (key: string) => send(programs, { method: 'GET', key });
const policy = { commissionType: 'percent', commissionRate: 20 } as const;
const inSeconds = (count: number) => world.deps(new Date(NOW.getTime() + count * 1000));

describe('GET cli/programs is answered 200', () => {
  it('and lists the programs of the workspace, oldest first, without their program keys', async () => {
    const brand = await world.brand();
    const { token, workspace } = await ownerOfBrand(world, brand);
    const second = await createProgram(inSeconds(1), workspace.id, {
      name: 'Second',
      domain: 'second.test',
      commissionType: 'recurring_fixed',
      commissionRate: 12.5,
      durationMonths: 12,
      attributionWindowDays: 30,
      leadAuth: 'browser_allowed',
      status: 'paused',
    });
    await world.brand();
    expect(await list(token)).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: {
        data: [
          {
            id: brand.program.id,
            name: brand.program.name,
            slug: brand.program.slug,
            domain: brand.program.domain,
            status: 'active',
            sandbox: false,
            commission: '20%',
            commission_type: 'percent',
            commission_rate: 20,
            attribution_window_days: 60,
            lead_auth: 'server_required',
            api_token_masked: `aff_****${brand.key.slice(-4)}`,
            partners: 1,
            created_at: NOW.toISOString(),
          },
          {
            id: second.id,
            name: 'Second',
            slug: 'second',
            domain: 'second.test',
            status: 'paused',
            sandbox: false,
            commission: '$12.5 recurring (12 months)',
            commission_type: 'recurring_fixed',
            commission_rate: 12.5,
            attribution_window_days: 30,
            lead_auth: 'browser_allowed',
            api_token_masked: second.keyMasked,
            partners: 0,
            created_at: inSeconds(1).now.toISOString(),
          },
        ],
      },
    });
  });

  it.each<[Partial<NewProgram>, string]>([
    [{}, '20%'],
    [{ commissionRate: 7.25 }, '7.25%'],
    [{ durationMonths: 12 }, '20%'],
    [{ commissionType: 'recurring_percent' }, '20% recurring'],
    [{ commissionType: 'recurring_percent', durationMonths: 0 }, '20% recurring'],
    [{ commissionType: 'recurring_percent', durationMonths: 12 }, '20% recurring (12 months)'],
    [{ commissionType: 'fixed', commissionRate: 50 }, '$50'],
    [{ commissionType: 'recurring_fixed', commissionRate: 50 }, '$50 recurring'],
    [{ commissionType: 'recurring_fixed', commissionRate: 50, durationMonths: 12 }, '$50 recurring (12 months)'],
    [{ commissionType: 'recurring_fixed', commissionRate: 50, currency: 'EUR' }, '50 EUR recurring'],
  ])('and describes the commission of a program with %j as %s', async (settings, commission) => {
    const { token } = await ownerOfBrand(world, await world.brand(settings));
    expect((await list(token)).body.data).toMatchObject([{ commission }]);
  });

  it('and counts only active partners', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    await addPartner(world.deps(), brand.program.id, { name: 'Ben', email: 'ben@partners.test' });
    expect((await list(token)).body.data[0].partners).toBe(2);
    await changePartner(world.deps(), { id: brand.program.id }, brand.partner.id, { status: 'removed' });
    expect((await list(token)).body.data[0].partners).toBe(1);
  });

  it('and lists more programs than one page of the table holds', async () => {
    const { token, workspace } = await ownerOf(world);
    for (let n = 0; n < 105; n++) {
      // Resets the counter, so that more programs can be created than the limit allows.
      await inSeconds(n).table.update(keys.workspace(workspace.id), { set: { programCount: 0 } });
      await createProgram(inSeconds(n), workspace.id, { name: `Program ${n}`, domain: 'many.test', ...policy });
    }
    const { data } = (await list(token)).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 105 }, (_, n) => `Program ${n}`),
    );
  });

  it('with an empty list for a workspace without programs, and for a person without a workspace', async () => {
    expect((await list((await ownerOf(world)).token)).body).toEqual({ data: [] });
    expect((await list((await signedInAs(world)).token)).body).toEqual({ data: [] });
  });
});

const body = platformError(
  410,
  'This endpoint is retired. Connect your payment processor from the dashboard: program Settings.',
);

describe('POST cli/programs, which was removed, is answered 410', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('for requests with the method %s', async (method) => {
    expect(await send(handler, { method })).toEqual({ status: 410, headers: countedHeaders(60), body });
  });

  it('for OPTIONS requests, which no rate limit counts', async () => {
    expect(await send(handler, { method: 'OPTIONS' })).toEqual({ status: 410, headers: jsonHeaders, body });
  });

  it.each(['', '{', { anything: 1 }])('for requests with any body: %j', async (sent) => {
    expect((await send(handler, { body: sent })).status).toBe(410);
  });

  it('for every caller, even with an unknown, an empty or a retired key', async () => {
    const brand = await world.brand();
    await markKeyForRotation(world.deps(), brand.program.id, NOW);
    for (const key of ['nobody', '', brand.key]) {
      expect(await send(handler, { key })).toEqual({ status: 410, headers: countedHeaders(60), body });
    }
  });
});
