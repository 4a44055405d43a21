import { describe, expect, it } from 'vitest';
import { open } from '#lib/service/ground/effects/vault.ts';
import type { Dashboard } from '#test/support/callers/dashboard.ts';
import { portal } from '#test/support/callers/portal.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { NOW } from '#test/support/callers/request.ts';
import { accepted, programOf } from '#test/support/programs/candidates.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { type Person, signedInAs } from '#test/support/programs/people.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, replyLost, sentAgain } from '#test/support/table/faults.ts';

// How statements name a person. The details move no money.

// It has a key for secrets.
openProcessor();

const world = openedWorld();

const at = NOW.toISOString();
const HOUR_LATER = new Date(NOW.getTime() + 3_600_000);
const ana = { name: 'Ana Doe Ltd', address: '1 High Street\nLondon', country: 'GB', tax_id: 'GB123456789' };
const put = ({ token }: Person, body: unknown, when = NOW) => portal(token).put('/billing', body, { at: when });
const get = ({ token }: Person) => portal(token).get('/billing');
const stored = async ({ account: { id } }: Person) =>
  (await world.items(`ACCOUNT#${id}`)).find(({ sk }) => sk === 'BILLING') as Record<string, string> | undefined;

describe('GET and PUT /billing', () => {
  it('store the person’s billing details encrypted and return them to that person', async () => {
    const person = await signedInAs(world);
    expect(await get(person)).toEqual(dataReply(null));
    const data = { ...ana, updated_at: at };
    expect(await put(person, { ...ana, address: ' 1 High Street\r\nLondon ', country: 'gb' })).toEqual(
      dataReply(data, 2),
    );
    expect((await get(person)).body).toEqual({ data });
    const item = (await stored(person))!;
    expect(item).toEqual({
      pk: `ACCOUNT#${person.account.id}`,
      sk: 'BILLING',
      sealed: expect.any(String),
      updatedAt: at,
    });
    expect(JSON.parse(await open(world.deps(), item['sealed']!, { accountId: person.account.id }))).toEqual({
      name: ana.name,
      address: ana.address,
      country: 'GB',
      taxId: ana.tax_id,
    });
  });

  it('replace all details: PUT clears each detail that the request leaves out', async () => {
    const person = await signedInAs(world);
    await put(person, ana);
    const data = { name: 'Ana', address: null, country: null, tax_id: null, updated_at: HOUR_LATER.toISOString() };
    expect((await put(person, { name: 'Ana', address: null }, HOUR_LATER)).body).toEqual({ data });
    expect((await get(person)).body).toEqual({ data });
    expect((await put(person, {})).body.data).toEqual({ ...data, name: null, updated_at: at });
  });

  it('do not require a recent sign-in and put no payout on hold', async () => {
    const { person } = await programOf(world);
    const partner = await person();
    const nextWeek = new Date(NOW.getTime() + 7 * 86_400_000);
    expect((await put(partner, ana, nextWeek)).status).toBe(200);
    expect((await portal(partner.token).get('/payout-details', { at: nextWeek })).body).toEqual({ data: null });
  });

  it('show at most the last four characters of the tax id to an owner who views the portal as the partner', async () => {
    const person = await signedInAs(world);
    await put(person, ana);
    const asPartner = async (path: string) => (await portal(person.token).get(`${path}?as=7`)).body.data;
    expect(await asPartner('/billing')).toEqual({ ...ana, tax_id: '****6789', updated_at: at });
    expect((await asPartner('/export')).billing.tax_id).toBe('****6789');
    await put(person, { tax_id: '12345678' });
    expect((await asPartner('/billing')).tax_id).toBe('****');
  });

  it('store details that the person’s data export contains, and that are deleted when the account is closed', async () => {
    const person = await signedInAs(world);
    await put(person, ana);
    expect((await portal(person.token).get('/export')).body.data.billing).toEqual({ ...ana, updated_at: at });
    await portal(person.token).ask('DELETE', '/me', { confirm: person.account.email });
    expect(await world.items(`ACCOUNT#${person.account.id}`)).toEqual([]);
  });
});

const rowsOf = async (user: Dashboard) =>
  ((await user.get('/workspace/audit')).body.data as { action: string; changes: object; target: object }[]).filter(
    ({ action }) => action === 'billing.changed',
  );

describe('a change of billing details, in the audit list of a workspace where the person is a partner,', () => {
  it('shows which fields changed, but no name or address, and only the end of the tax id', async () => {
    const { user, person } = await programOf(world);
    const partner = await person();
    await put(partner, ana);
    await put(partner, { ...ana, name: 'Ana', tax_id: 'GB987656789' });
    await put(partner, { ...ana, name: 'Ana', tax_id: 'GB987656789' });
    await put(partner, {});
    const hidden = { from: '****', to: '****' };
    const rows = await rowsOf(user);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ target: { type: 'partner', id: String(partner.partnerId) } });
    expect(
      rows.map(({ changes }) => changes).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ).toEqual(
      [
        {
          name: { from: '****', to: null },
          address: { from: '****', to: null },
          country: { from: 'GB', to: null },
          tax_id: { from: '****6789', to: null },
        },
        { name: hidden, tax_id: { from: '****6789', to: '****6789' } },
        {
          name: { from: null, to: '****' },
          address: { from: null, to: '****' },
          country: { from: null, to: 'GB' },
          tax_id: { from: null, to: '****6789' },
        },
      ].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  });

  it('does not appear for a workspace whose invitation the person has not accepted', async () => {
    const { user, url, listed } = await programOf(world);
    const partner = await listed();
    await portal(partner.token).get('/me');
    await put(partner, ana);
    expect(await rowsOf(user)).toEqual([]);
    await accepted(partner, url);
    await put(partner, { name: 'Ana' });
    expect(await rowsOf(user)).toHaveLength(1);
  });
});

describe('PUT /billing', () => {
  const text = {
    name: 'name must be a string of 1 to 120 characters',
    address: 'address must be a string of 1 to 500 characters',
    country: 'country must be a two-letter country code',
    tax_id: 'tax_id must be a string of 1 to 40 characters',
  };
  it.each<[object, string]>([
    ...['', ' ', 'x'.repeat(121), 7, 'a\nb', 'a\u202eb'].map((name): [object, string] => [{ name }, text.name]),
    ...['', 'x'.repeat(501), {}, 'a\u0000'].map((address): [object, string] => [{ address }, text.address]),
    ...['', 'GBR', 'G1', 7].map((country): [object, string] => [{ country }, text.country]),
    ...['', 'x'.repeat(41), 7, 'a\nb'].map((taxId): [object, string] => [{ tax_id: taxId }, text.tax_id]),
    [{ tax_id: '', country: '', address: '', name: '' }, text.name],
    [{ tax_id: '', country: '' }, text.country],
  ])('refuses the body %j with the message “%s”', async (body, message) => {
    const person = await signedInAs(world);
    expect(await put(person, body)).toMatchObject(refusal(400, message));
    expect(await stored(person)).toBeUndefined();
  });

  it('is refused to an owner who views the portal as the partner', async () => {
    const person = await signedInAs(world);
    const reply = await portal(person.token).put('/billing?as=7', ana);
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual(platformError(403, reply.body.error.message));
    expect(await stored(person)).toBeUndefined();
  });

  it('stores all fields of one request, never a mixture, if three requests arrive in parallel', async () => {
    const person = await signedInAs(world);
    const sets = [ana, { name: 'Bea', country: 'DE' }, { tax_id: 'DE 1' }];
    const replies = await Promise.all(sets.map((body) => put(person, body)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { updated_at: _, ...left } = (await get(person)).body.data;
    const none = { name: null, address: null, country: null, tax_id: null };
    expect(sets.map((set) => ({ ...none, ...set }))).toContainEqual(left);
  });

  it.each([
    ['the reply of the write is lost', replyLost],
    ['the write is sent twice', sentAgain],
  ])('writes one audit entry even if %s', async (_, fault) => {
    const { user, person } = await programOf(world);
    const partner = await person();
    await failing('write', fault, () => put(partner, ana));
    expect((await put(partner, ana, HOUR_LATER)).body.data).toEqual({ ...ana, updated_at: at });
    const { data } = (await user.get('/workspace/audit')).body;
    expect(data.filter(({ action }: { action: string }) => action === 'billing.changed')).toHaveLength(1);
  });
});
