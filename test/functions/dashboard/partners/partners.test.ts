import { describe, expect, it } from 'vitest';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { withProgramTerms } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { newAddress, ownerOf } from '#test/support/programs/people.ts';
import { addedByBrand } from '#test/support/programs/partners.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const settings = { name: 'Acme Pro', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };

const world = openedWorld();

/** An owner with programs without partners. */
async function owned(programs = 1) {
  const { token, workspace } = await ownerOf(world);
  const user = dashboard(token);
  const urls = [];
  for (let made = 0; made < programs; made++) {
    urls.push(`/programs/${(await user.post('/programs', settings)).body.data.id}`);
  }
  return { user, workspace, url: urls[0]!, otherUrl: urls[1]! };
}

/** A partner without links or events. */
const partner = (fields: object) => ({
  id: expect.any(Number),
  status: 'active',
  ...withProgramTerms(settings),
  links: [],
  clicks: 0,
  bot_clicks: 0,
  repeat_clicks: 0,
  leads: 0,
  sales: 0,
  amounts: {},
  payout: null,
  mail: 'ok',
  ...addedByBrand,
  created_at: NOW.toISOString(),
  ...fields,
});

describe('POST /programs/{id}/partners', () => {
  it('adds a partner with the e-mail address trimmed and in lower case', async () => {
    const { user, workspace, url } = await owned();
    const email = newAddress('ana');
    const reply = await user.post(`${url}/partners`, { name: ' Ana ', email: ` ${email.toUpperCase()} ` });
    expect(reply).toEqual(dataReply(partner({ name: 'Ana', email, links: ['ana'] }), 2));
    const { id } = reply.body.data;
    const pk = `PROGRAM#${url.split('/')[2]}`;
    expect(await world.items(pk)).toEqual([
      {
        pk,
        sk: `PARTNER#${id}`,
        gsi1pk: `${pk}#PARTNERS`,
        gsi1sk: `${NOW.toISOString()}#${id}`,
        id,
        programId: Number(url.split('/')[2]),
        name: 'Ana',
        email,
        status: 'active',
        links: ['ana'],
        createdAt: NOW.toISOString(),
      },
      expect.objectContaining({ sk: 'PROGRAM', partnerCount: 1 }),
      { pk, sk: 'SIZE', links: 1 },
      expect.objectContaining({ sk: 'TERMS#000001', version: 1 }),
    ]);
    const emailKey = `PARTNER_EMAIL#${workspace.id}#${email}`;
    const programIds = new Set([Number(url.split('/')[2])]);
    expect(await world.items(emailKey)).toEqual([{ pk: emailKey, sk: emailKey, id, name: 'Ana', email, programIds }]);
  });

  it('uses the id and name that the partner with this e-mail address has in another program of the workspace', async () => {
    const { user, url, otherUrl } = await owned(2);
    const email = newAddress();
    const { body: first } = await user.post(`${url}/partners`, { name: 'Ana', email });
    const { body } = await user.post(`${otherUrl}/partners`, { name: 'Someone else', email: email.toUpperCase() });
    expect(body).toEqual({ data: partner({ id: first.data.id, name: 'Ana', email, links: [expect.any(String)] }) });
  });

  it('creates a partner with another id in another workspace', async () => {
    const [one, two] = [await owned(), await owned()];
    const wanted = { name: 'Ana', email: newAddress() };
    const { body: first } = await one.user.post(`${one.url}/partners`, wanted);
    const { body: second } = await two.user.post(`${two.url}/partners`, wanted);
    expect(second.data.id).not.toBe(first.data.id);
  });

  it('uses one id for a partner whom two programs add in parallel', async () => {
    const { user, url, otherUrl } = await owned(2);
    const wanted = { name: 'Ana', email: newAddress() };
    const replies = await Promise.all([url, otherUrl].map((each) => user.post(`${each}/partners`, wanted)));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  });
});

describe('POST /programs/{id}/partners answers 409 “This partner is already in the program”', () => {
  const refused = platformError(409, 'This partner is already in the program');

  it('if that partner is active, removed or in a paused program, and nothing changes', async () => {
    const { user, url } = await owned();
    const wanted = { name: 'Ana', email: newAddress() };
    const { body: added } = await user.post(`${url}/partners`, wanted);
    expect(await user.post(`${url}/partners`, wanted)).toEqual({
      status: 409,
      headers: countedHeaders(300, 3),
      body: refused,
    });
    await user.patch(`${url}/partners/${added.data.id}`, { status: 'removed' });
    expect((await user.post(`${url}/partners`, wanted)).body).toEqual(refused);
    await user.patch(url, { status: 'paused' });
    expect((await user.post(`${url}/partners`, wanted)).body).toEqual(refused);
    const { body } = await user.get(`${url}/partners`);
    expect(body.data).toEqual([{ ...added.data, status: 'removed' }]);
  });

  it('to all requests but one if several add the same partner in parallel', async () => {
    const { user, url } = await owned();
    const wanted = { name: 'Ana', email: newAddress() };
    const replies = await Promise.all(Array.from({ length: 6 }, () => user.post(`${url}/partners`, wanted)));
    expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await user.get(`${url}/partners`)).body.data).toHaveLength(1);
    const program = await findProgram(world.deps().table, Number(url.split('/')[2]));
    expect(program?.partnerCount).toBe(1);
  });
});

it('POST /programs/{id}/partners answers 409 “Program is paused”, until the program is active again', async () => {
  const { user, url } = await owned();
  const wanted = { name: 'Ana', email: newAddress() };
  await user.patch(url, { status: 'paused' });
  expect((await user.post(`${url}/partners`, wanted)).body).toEqual(platformError(409, 'Program is paused'));
  expect((await user.get(`${url}/partners`)).body.data).toEqual([]);
  await user.patch(url, { status: 'active' });
  expect((await user.post(`${url}/partners`, wanted)).status).toBe(200);
});

describe('GET /programs/{id}/partners', () => {
  it('lists the program’s partners with their links, oldest first, and filters by status', async () => {
    const { user, url, otherUrl } = await owned(2);
    await user.post(`${otherUrl}/partners`, { name: 'Elsewhere', email: newAddress() });
    const added = [];
    for (const [index, name] of ['Cid', 'Ben', 'Ana'].entries()) {
      const at = new Date(NOW.getTime() - index * 60_000);
      added.unshift((await user.post(`${url}/partners`, { name, email: newAddress() }, { at })).body.data);
    }
    const [ana, ben, cid] = added;
    const { body: link } = await user.post(`${url}/links`, { partner_id: ben.id });
    await user.patch(`${url}/partners/${ben.id}`, { status: 'removed' });
    const removed = { ...ben, status: 'removed', links: [...ben.links, link.data.short_link] };
    const listed = async (query: string) => (await user.get(`${url}/partners${query}`)).body;
    expect(await listed('')).toEqual({ data: [ana, removed, cid], meta: { next_cursor: null } });
    expect(await listed('?status=removed')).toEqual({ data: [removed], meta: { next_cursor: null } });
    expect(await everyPage(user, `${url}/partners?status=active&limit=1`)).toEqual([[ana], [cid]]);
  });
});
