import { expect, it } from 'vitest';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

interface StoredMail {
  readonly kind: string;
  readonly to: object;
  readonly data: { readonly programId?: number };
}

const mailsOf = async (programId: number) =>
  (await allItems(world))
    .filter((item) => (item as unknown as StoredMail).data?.programId === programId)
    .map((item) => item as unknown as StoredMail);

it('each invitation to a program sends the person a mail', async () => {
  const { user, url, id, add } = await programOf(world);
  const email = newAddress();
  const partnerId = await add(email, { invite: true });
  for (const days of [7, 14]) {
    const at = new Date(NOW.getTime() + days * DAY_MS);
    expect((await user.post(`${url}/partners/${partnerId}/invite`, {}, { at })).status).toBe(200);
  }
  expect(await mailsOf(id)).toMatchObject(
    Array.from({ length: 3 }, () => ({ kind: 'partner_invited', to: { email, name: 'Ben' } })),
  );
});

it('adding a person to a program without inviting them sends no mail', async () => {
  const { id, add } = await programOf(world);
  await add(newAddress());
  expect(await mailsOf(id)).toEqual([]);
});

it('applications appear in the owners’ daily digest, and the applicant gets a mail with the decision', async () => {
  const { user, url, id, brand, applicant } = await programOf(world, { join: 'apply' });
  const { token, account, partnerId } = await applicant();
  await portal(token).post(`/join/${id}`, {});
  await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'Off topic' });
  const other = await applicant();
  await user.post(`${url}/partners/${other.partnerId}/accept`);
  const mails = await mailsOf(id);
  const ofKind = (wanted: string) => mails.filter(({ kind }) => kind === wanted);
  const { workspaceId } = brand.program;
  const rows = await world.items(keys.digestRow(workspaceId, '2026-11-20', '').pk);
  expect(rows).toMatchObject(
    [account, other.account].map(({ name }) => ({ programId: id, of: 'application', name, isQueued: false })),
  );
  const due = (await world.items(keys.dueMail('', '').pk)).filter((one) => one.workspaceId === workspaceId);
  expect(due).toMatchObject([{ kind: 'owner_digest', dueAt: '2026-11-21T06:00:00.000Z', day: '2026-11-20' }]);
  const decided = ofKind('application_decided').toSorted((a) => ('reason' in a.data ? 1 : -1));
  expect(decided).toMatchObject([
    { to: { email: other.account.email, accountId: other.account.id }, data: { decision: 'accepted' } },
    { to: { email: account.email, accountId: account.id }, data: { decision: 'rejected', reason: 'Off topic' } },
  ]);
});

it('partners get one mail a day about new partner terms, and none when the terms are removed', async () => {
  const { user, url, id } = await programOf(world);
  for (const partner_terms of ['One', 'One', '', 'Two']) await user.patch(url, { partner_terms });
  const told = (await mailsOf(id)).filter(({ kind }) => kind === 'terms_changed');
  expect(told).toMatchObject([{ to: { activePartnersOf: id }, data: { version: 1 } }]);
  const due = (await world.items(keys.dueMail('', '').pk)).filter(({ programId }) => programId === id);
  expect(due).toMatchObject([{ kind: 'terms_changed', dueAt: '2026-11-21T00:00:00.000Z' }]);
});

it('a sandbox program sends no mail to its partners', async () => {
  const { user } = await programOf(world);
  const settings = { name: 'Try', domain: 'try.test', commission_type: 'percent', commission_rate: 20, join: 'apply' };
  const { id } = (await user.post('/programs', { ...settings, sandbox: true })).body.data;
  const url = `/programs/${id}`;
  const asked = await signedInAs(world);
  expect((await portal(asked.token).post(`/join/${id}`, {})).status).toBe(200);
  const [{ id: applicantId }] = (await user.get(`${url}/partners?status=applied`)).body.data;
  expect((await user.post(`${url}/partners/${applicantId}/accept`)).status).toBe(200);
  const invited = { name: 'Ben', email: newAddress(), invite: true };
  const { id: partnerId } = (await user.post(`${url}/partners`, invited)).body.data;
  expect((await user.patch(`${url}/partners/${partnerId}`, { email: newAddress() })).status).toBe(200);
  expect((await user.patch(url, { partner_terms: 'Be fair.' })).status).toBe(200);
  expect(await mailsOf(id)).toEqual([]);
});
