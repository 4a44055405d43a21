import { describe, expect, it } from 'vitest';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, replyLost } from '#test/support/table/faults.ts';

// How a program presents itself to partners: name, color, welcome and contact. Its logo has its own tests.

const world = openedWorld();

const HOUR_LATER = new Date(NOW.getTime() + 3_600_000);
const nothing = {
  display_name: null,
  accent_color: null,
  accent: null,
  welcome: null,
  contact_email: null,
  logo: null,
  updated_at: null,
};
const acme = {
  display_name: 'Acme & Friends',
  accent_color: '#FFD000',
  welcome: 'Welcome!\n\nWe pay well.',
  contact_email: 'Partners@Acme.test',
};
const shown = {
  ...acme,
  accent_color: '#ffd000',
  accent: { light: expect.stringMatching(/^#[0-9a-f]{6}$/), dark: '#ffd000' },
  contact_email: 'partners@acme.test',
  logo: null,
};
const at = (time: Date) => ({ updated_at: time.toISOString() });

async function start() {
  const { owner, program, path } = await ownedBrand(world);
  const { account, workspace } = await ownerOfBrand(world, { program });
  const item = async () => (await world.items(`BRAND#${program.id}`)).find(({ sk }) => sk === 'BRAND');
  return { owner, program, account, workspace, url: `${path}/brand`, item };
}
const rowsOf = async (owner: Dashboard) =>
  ((await owner.get('/workspace/audit')).body.data as { action: string; changes: object; target: object }[]).filter(
    ({ action }) => action === 'brand.changed',
  );

describe('GET and PATCH /programs/{id}/brand answer 200', () => {
  it('and store the brand', async () => {
    const { owner, program, account, url, item } = await start();
    expect(await owner.get(url)).toEqual(dataReply(nothing, 1));
    expect(await owner.patch(url, acme)).toEqual(dataReply({ ...shown, ...at(NOW) }, 2));
    expect((await owner.get(url)).body).toEqual({ data: { ...shown, ...at(NOW) } });
    expect(await item()).toEqual({
      pk: `BRAND#${program.id}`,
      sk: 'BRAND',
      displayName: acme.display_name,
      accentColor: '#ffd000',
      accent: { light: expect.any(String), dark: '#ffd000' },
      welcome: acme.welcome,
      contactEmail: 'partners@acme.test',
      version: 1,
      updatedAt: NOW.toISOString(),
      changedBy: account.name,
    });
    expect(await rowsOf(owner)).toEqual([
      expect.objectContaining({
        target: { type: 'program', id: String(program.id), name: program.name, program_id: program.id },
        changes: {
          display_name: { from: null, to: acme.display_name },
          accent_color: { from: null, to: '#ffd000' },
          welcome: { from: null, to: acme.welcome },
          contact_email: { from: null, to: 'partners@acme.test' },
        },
      }),
    ]);
  });

  it('and change only the sent fields; null and an empty text remove a field', async () => {
    const { owner, url, item } = await start();
    await owner.patch(url, acme);
    const reply = await owner.patch(url, { welcome: null, accent_color: '' }, { at: HOUR_LATER });
    expect(reply.body).toEqual({
      data: { ...shown, welcome: null, accent_color: null, accent: null, ...at(HOUR_LATER) },
    });
    expect(Object.keys((await item()) ?? {})).not.toEqual(expect.arrayContaining(['accent']));
    expect((await rowsOf(owner)).map(({ changes }) => changes)).toContainEqual({
      welcome: { from: acme.welcome, to: null },
      accent_color: { from: '#ffd000', to: null },
    });
    await owner.patch(url, { display_name: '', contact_email: null });
    expect((await owner.get(url)).body.data).toMatchObject({ ...nothing, updated_at: expect.any(String) });
  });

  it('and change nothing if the sent values are already stored', async () => {
    const { owner, url, item } = await start();
    expect((await owner.patch(url, { welcome: '', contact_email: null })).body).toEqual({ data: nothing });
    expect(await item()).toBeUndefined();
    await owner.patch(url, acme);
    const before = await item();
    const again = { ...acme, display_name: ` ${acme.display_name} `, welcome: acme.welcome.replaceAll('\n', '\r\n') };
    expect((await owner.patch(url, again, { at: HOUR_LATER })).body).toEqual({ data: { ...shown, ...at(NOW) } });
    expect(await item()).toEqual(before);
    expect(await rowsOf(owner)).toHaveLength(1);
  });

  it('and store all changes if four requests run in parallel', async () => {
    const { owner, url } = await start();
    const changes = Object.entries(acme).map(([field, value]) => ({ [field]: value }));
    const replies = await Promise.all(changes.map((change) => owner.patch(url, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await owner.get(url)).body.data).toEqual({ ...shown, ...at(NOW) });
    expect(await rowsOf(owner)).toHaveLength(4);
  });

  it('and write one audit entry even if the reply to the write is lost', async () => {
    const { owner, url } = await start();
    await failing('write', replyLost, () => owner.patch(url, acme));
    expect((await owner.patch(url, acme, { at: HOUR_LATER })).body.data).toMatchObject(at(NOW));
    expect(await rowsOf(owner)).toHaveLength(1);
  });

  it('and GET shows the brand to a member, too', async () => {
    const { owner, workspace, url } = await start();
    await owner.patch(url, acme);
    const { token } = await memberOf(world, workspace);
    expect((await dashboard(token).get(url)).body).toEqual({ data: { ...shown, ...at(NOW) } });
  });
});

describe('PATCH /programs/{id}/brand', () => {
  const name = 'display_name must be a string of 1 to 60 characters without @, / or :';
  const color = 'accent_color must be a color such as #3b54d6';
  const welcome = 'welcome must be a string of at most 2000 characters';
  const contact = 'contact_email must be a valid e-mail address';
  it.each<[object, string]>([
    [{ display_name: ' ' }, name],
    [{ display_name: 'x'.repeat(61) }, name],
    [{ display_name: 7 }, name],
    [{ display_name: 'Acme <a@acme.test>' }, name],
    [{ display_name: 'acme.test/partners' }, name],
    [{ display_name: 'Bcc: all' }, name],
    [{ display_name: 'Acme\r\nBcc all' }, name],
    [{ display_name: 'Ac\u202eme' }, name],
    [{ accent_color: 'blue' }, color],
    [{ accent_color: '#fff' }, color],
    [{ accent_color: '#3b54d6ff' }, color],
    [{ accent_color: '3b54d6' }, color],
    [{ accent_color: 0x3b54d6 }, color],
    [{ welcome: 'x'.repeat(2_001) }, welcome],
    [{ welcome: ['x'] }, welcome],
    [{ contact_email: 'acme.test' }, contact],
    [{ contact_email: ' ' }, contact],
    [{ contact_email: true }, contact],
    [{ contact_email: 'x', welcome: 7, accent_color: 'x', display_name: '@' }, name],
    [{ contact_email: 'x', welcome: 7, accent_color: 'x', display_name: '' }, color],
    [{ contact_email: 'x', welcome: 7, accent_color: null }, welcome],
    [{ display_name: 'Acme', seen: 'x' }, 'seen must be an object'],
  ])('refuses the body %j with the message “%s”', async (body, message) => {
    const { owner, url, item } = await start();
    expect(await owner.patch(url, body)).toMatchObject(refusal(400, message));
    expect(await item()).toBeUndefined();
  });

  it('accepts texts of the maximum length', async () => {
    const { owner, url } = await start();
    const longest = { display_name: 'x'.repeat(60), welcome: '\u{1f600}'.repeat(1_000) };
    expect((await owner.patch(url, longest)).body.data).toMatchObject(longest);
  });

  it('answers 409 if another owner has changed one of the sent fields since the sender read it', async () => {
    const { owner, account, url } = await start();
    await owner.patch(url, { display_name: 'Acme', welcome: 'Hello' });
    const reply = await owner.patch(url, { display_name: 'Acme Ltd', seen: { display_name: null } });
    expect(reply.status).toBe(409);
    expect(reply.body.error.details).toMatchObject({ changed: { display_name: 'Acme' }, by: { name: account.name } });
    const { body } = await owner.patch(url, { display_name: 'Acme Ltd', seen: { display_name: 'Acme', welcome: '?' } });
    expect(body.data.display_name).toBe('Acme Ltd');
  });

  it('answers 403 to a member for any body', async () => {
    const { workspace, url, item } = await start();
    const { token } = await memberOf(world, workspace);
    for (const body of [acme, {}, { display_name: '@' }]) {
      const reply = await dashboard(token).patch(url, body);
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual(platformError(403, 'Only a workspace owner can do this'));
    }
    expect(await item()).toBeUndefined();
  });
});
