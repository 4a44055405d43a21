import { describe, expect, it } from 'vitest';
import { open } from '#lib/service/ground/effects/vault.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf, ownerOf } from '#test/support/programs/people.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, replyLost } from '#test/support/table/faults.ts';

// Who pays the partners of a workspace, and from which account.

// It has a key for secrets.
openProcessor();

const world = openedWorld();

const URL = '/workspace/payer';
const HOUR_LATER = new Date(NOW.getTime() + 3_600_000);
const IBAN = 'DE89 3704 0044 0532 0130 00';
const OTHER_IBAN = 'DE02 1203 0000 0000 2020 51';
const nothing = {
  name: null,
  address: null,
  country: null,
  tax_id: null,
  iban_masked: null,
  bic: null,
  updated_at: null,
};
const acme = { name: 'Acme GmbH', address: 'Am Markt 1\n10115 Berlin', country: 'de', tax_id: 'DE123456789' };
const shown = { ...nothing, ...acme, country: 'DE', iban_masked: 'DE** **** 3000', bic: 'COBADEFF' };
const at = (time: Date) => ({ updated_at: time.toISOString() });

async function start() {
  const { token, account, workspace } = await ownerOf(world);
  const item = async () => (await world.items(`WORKSPACE#${workspace.id}`)).find(({ sk }) => sk === 'PAYER');
  return { owner: dashboard(token), account, workspace, item };
}
const rowsOf = async (owner: Dashboard) =>
  ((await owner.get('/workspace/audit')).body.data as { action: string; changes: object; target: object }[]).filter(
    ({ action }) => action === 'workspace.payer_changed',
  );

describe('GET and PATCH /workspace/payer are answered 200', () => {
  it('and store the workspace’s data as payer, with the IBAN encrypted', async () => {
    const { owner, account, workspace, item } = await start();
    expect(await owner.get(URL)).toEqual(dataReply(nothing));
    const reply = await owner.patch(URL, { ...acme, iban: IBAN, bic: 'coba de ff' });
    expect(reply).toEqual(dataReply({ ...shown, ...at(NOW) }, 2));
    expect((await owner.get(URL)).body).toEqual({ data: { ...shown, ...at(NOW) } });
    const found = (await item()) as Record<string, string>;
    expect(found).toEqual({
      pk: `WORKSPACE#${workspace.id}`,
      sk: 'PAYER',
      name: acme.name,
      address: acme.address,
      country: 'DE',
      taxId: acme.tax_id,
      sealedIban: expect.any(String),
      ibanMasked: 'DE** **** 3000',
      bic: 'COBADEFF',
      version: 1,
      updatedAt: NOW.toISOString(),
      changedBy: account.name,
    });
    const sealed = found['sealedIban']!;
    expect(await open(world.deps(), sealed, { workspaceId: workspace.id })).toBe('DE89370400440532013000');
    await expect(open(world.deps(), sealed, { accountId: workspace.id })).rejects.toThrow('authenticate');
    await expect(open(world.deps(), sealed, { programId: workspace.id })).rejects.toThrow('authenticate');
    expect(await rowsOf(owner)).toEqual([
      expect.objectContaining({
        target: { type: 'workspace', id: String(workspace.id), name: 'Acme', program_id: null },
        changes: {
          name: { from: null, to: acme.name },
          address: { from: null, to: acme.address },
          country: { from: null, to: 'DE' },
          tax_id: { from: null, to: '****6789' },
          iban_masked: { from: null, to: 'DE** **** 3000' },
          bic: { from: null, to: 'COBADEFF' },
        },
      }),
    ]);
  });

  it('and change only the sent fields; an empty text removes a field', async () => {
    const { owner, item } = await start();
    await owner.patch(URL, { ...acme, iban: IBAN, bic: 'COBADEFF' });
    const reply = await owner.patch(URL, { iban: '', tax_id: '', name: null }, { at: HOUR_LATER });
    const data = { ...shown, tax_id: null, iban_masked: null, ...at(HOUR_LATER) };
    expect(reply.body).toEqual({ data });
    expect(await item()).not.toHaveProperty('sealedIban');
    expect((await rowsOf(owner)).map(({ changes }) => changes)).toContainEqual({
      tax_id: { from: '****6789', to: null },
      iban_masked: { from: 'DE** **** 3000', to: null },
    });
  });

  it('and change nothing if the sent values are already stored', async () => {
    const { owner, item } = await start();
    await owner.patch(URL, { ...acme, iban: IBAN });
    const before = await item();
    const again = await owner.patch(URL, { ...acme, iban: IBAN.toLowerCase(), bic: '' }, { at: HOUR_LATER });
    expect(again.body.data).toEqual({ ...shown, bic: null, ...at(NOW) });
    expect(await item()).toEqual(before);
    expect(await rowsOf(owner)).toHaveLength(1);
    expect((await owner.patch(URL, {})).body.data).toEqual(again.body.data);
  });

  it('and store both changes if two requests run in parallel', async () => {
    const { owner } = await start();
    const changes = [{ name: 'Acme' }, { iban: IBAN }, { bic: 'COBADEFF' }, { country: 'DE' }];
    const replies = await Promise.all(changes.map((change) => owner.patch(URL, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await owner.get(URL)).body.data).toMatchObject({
      name: 'Acme',
      iban_masked: 'DE** **** 3000',
      bic: 'COBADEFF',
      country: 'DE',
    });
    expect(await rowsOf(owner)).toHaveLength(4);
  });

  it('and write one audit entry even if the reply to the write is lost', async () => {
    const { owner } = await start();
    await failing('write', replyLost, () => owner.patch(URL, { iban: IBAN }));
    expect((await owner.patch(URL, { iban: IBAN }, { at: HOUR_LATER })).body.data).toMatchObject(at(NOW));
    expect(await rowsOf(owner)).toHaveLength(1);
  });
});

describe('PATCH /workspace/payer', () => {
  const iban = 'iban must be a valid IBAN';
  const bic = 'bic must be a valid BIC';
  it.each<[object, string]>([
    [{ name: ' ' }, 'name must be a string of 1 to 120 characters'],
    [{ name: 'x'.repeat(121) }, 'name must be a string of 1 to 120 characters'],
    [{ address: 'x'.repeat(501) }, 'address must be a string of 1 to 500 characters'],
    [{ country: 'DEU' }, 'country must be a two-letter country code'],
    [{ tax_id: 7 }, 'tax_id must be a string of 1 to 40 characters'],
    [{ iban: 'DE88 3704 0044 0532 0130 00' }, iban],
    [{ iban: 7 }, iban],
    [{ bic: 'COBADEF' }, bic],
    [{ bic: 'COBA12FF' }, bic],
    [{ bic: ' ', iban: ' ' }, iban],
    [{ name: '', bic: 'x' }, bic],
  ])('refuses the body %j with the message “%s”', async (body, message) => {
    const { owner, item } = await start();
    expect(await owner.patch(URL, body)).toMatchObject(refusal(400, message));
    expect(await item()).toBeUndefined();
  });

  it('is answered 409 if another owner has changed one of the sent fields since the sender read it', async () => {
    const { owner, account } = await start();
    await owner.patch(URL, { name: 'Acme', iban: IBAN });
    const reply = await owner.patch(URL, { name: 'Acme Ltd', iban: OTHER_IBAN, seen: { name: null } });
    expect(reply.status).toBe(409);
    expect(reply.body.error.details).toMatchObject({ changed: { name: 'Acme' }, by: { name: account.name } });
    expect((await owner.patch(URL, { name: 'Acme Ltd', seen: { name: 'Acme' } })).body.data.name).toBe('Acme Ltd');
  });

  it('is answered 403 for a member, and so is GET', async () => {
    const { workspace } = await start();
    const { token } = await memberOf(world, workspace);
    for (const reply of [await dashboard(token).get(URL), await dashboard(token).patch(URL, acme)]) {
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual(platformError(403, 'Only a workspace owner can do this'));
    }
  });
});
