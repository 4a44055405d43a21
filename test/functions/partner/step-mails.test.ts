import { beforeAll, expect, it } from 'vitest';
import { programOf } from '#test/support/candidates.ts';
import { allItems } from '#test/support/invariants.ts';
import { newAddress } from '#test/support/people.ts';
import { portal } from '#test/support/portal.ts';
import { openWorld, type World } from '#test/support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

interface StoredMail {
  readonly kind: string;
  readonly to: object;
  readonly data: { readonly programId?: number };
}

const mailsOf = async (programId: number) =>
  (await allItems(world))
    .filter((item) => (item as unknown as StoredMail).data?.programId === programId)
    .map((item) => item as unknown as StoredMail);

it('an invitation is sent, each time', async () => {
  const { user, url, id, add } = await programOf(world);
  const email = newAddress();
  const partnerId = await add(email, { invite: true });
  for (let n = 0; n < 2; n += 1) expect((await user.post(`${url}/partners/${partnerId}/invite`)).status).toBe(200);
  expect(await mailsOf(id)).toMatchObject(
    Array.from({ length: 3 }, () => ({ kind: 'partner_invited', to: { email, name: 'Ben' } })),
  );
});

it('an addition without invitation is not told', async () => {
  const { id, add } = await programOf(world);
  await add(newAddress());
  expect(await mailsOf(id)).toEqual([]);
});

it('owners are told of an application once, and the person of the decision', async () => {
  const { user, url, id, brand, applicant } = await programOf(world, { join: 'apply' });
  const { token, account, partnerId } = await applicant();
  await portal(token).post(`/join/${id}`, {});
  await user.post(`${url}/partners/${partnerId}/reject`, { reason: 'Off topic' });
  const other = await applicant();
  await user.post(`${url}/partners/${other.partnerId}/accept`);
  const mails = await mailsOf(id);
  const ofKind = (wanted: string) => mails.filter(({ kind }) => kind === wanted);
  expect(ofKind('application_received')).toHaveLength(2);
  expect(ofKind('application_received')[0]).toMatchObject({ to: { ownersOf: brand.program.workspaceId } });
  const decided = ofKind('application_decided').toSorted((a) => ('reason' in a.data ? 1 : -1));
  expect(decided).toMatchObject([
    { to: { email: other.account.email, accountId: other.account.id }, data: { decision: 'accepted' } },
    { to: { email: account.email, accountId: account.id }, data: { decision: 'rejected', reason: 'Off topic' } },
  ]);
});

it('partners are told of new terms, not of none, and not again', async () => {
  const { user, url, id } = await programOf(world);
  for (const partner_terms of ['One', 'One', '', 'Two']) await user.patch(url, { partner_terms });
  const told = (await mailsOf(id)).filter(({ kind }) => kind === 'terms_changed');
  expect(told).toHaveLength(2);
  expect(new Set(told.map(({ data }) => (data as { version?: number }).version))).toEqual(new Set([1, 2]));
  expect(told[0]).toMatchObject({ to: { activePartnersOf: id } });
});
