import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

/** Starts with a brand, its owner, and an address that no program knows. */
async function start() {
  const brand = await world.brand();
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const { id: programId, name, domain } = brand.program;
  const email = newAddress('partner');
  const add = async (address = email) =>
    (await owner.post(`/programs/${programId}/partners`, { name: 'Ben', email: address })).body.data;
  const row = {
    program_id: programId,
    name,
    domain,
    sandbox: false,
    status: 'invited',
    joined_at: null,
    left_at: null,
    invited_at: null,
    rejection_reason: null,
    may_apply_on: null,
    terms_to_accept: null,
    brand: { name, logo_url: null, accent: null },
  };
  const joined = { ...row, status: 'active', joined_at: NOW.toISOString() };
  const url = `/programs/${programId}`;
  return { brand, programId, owner, email, add, row, joined, url, partners: `${url}/partners` };
}

const programsOf = async (token: string) => (await portal(token).get('/me')).body.data.programs;
const partnerItem = async (programId: number, id: number) =>
  (await world.items(`PROGRAM#${programId}`)).find(({ sk }) => sk === `PARTNER#${id}`);

describe('GET /me', () => {
  it('shows at the first sign-in, as invitations, the programs that added the person’s e-mail address', async () => {
    const { programId, email, add, row } = await start();
    const { id } = await add();
    expect(await world.items(`PARTNER_OF_EMAIL#${email}`)).toEqual([
      { pk: `PARTNER_OF_EMAIL#${email}`, sk: `PROGRAM#${programId}`, partnerId: id },
    ]);
    const { token, account } = await signedInAs(world, email);
    expect(await world.items(`ACCOUNT#${account.id}`)).toContainEqual({
      pk: `ACCOUNT#${account.id}`,
      sk: `PARTNER#${programId}`,
      partnerId: id,
    });
    expect(await partnerItem(programId, id)).toMatchObject({ accountId: account.id });
    expect(await world.items(`PARTNER_OF_EMAIL#${email}`)).toEqual([]);
    expect(await portal(token).get('/me')).toEqual(
      dataReply({ account: { id: account.id, email, name: account.name }, mail: true, programs: [row] }),
    );
  });

  it('shows a program that added the person’s e-mail address after the sign-in', async () => {
    const { email, add, row } = await start();
    const { token } = await signedInAs(world, email);
    expect(await programsOf(token)).toEqual([]);
    await add();
    expect(await programsOf(token)).toEqual([row]);
  });

  it('shows the programs of several workspaces ordered by program id', async () => {
    const [one, other] = [await start(), await start()];
    await other.add(one.email);
    await one.add();
    const { token } = await signedInAs(world, one.email);
    expect(await programsOf(token)).toEqual([one.row, other.row]);
  });

  it('shows a program that adds the person while GET /me deletes the outdated index entry of the e-mail address', async () => {
    const { programId, email, add, row } = await start();
    const { token } = await signedInAs(world, email);
    await world.deps().table.put(keys.partnerOfEmail(email, programId), { partnerId: 1 });
    await failing('write', overtakenBy(add), () => portal(token).get('/me'));
    expect(await programsOf(token)).toEqual([row]);
  });

  it('shows when the person left, and from which day a rejected person may apply again', async () => {
    const { programId, email, add, row } = await start();
    const { id } = await add();
    const { token } = await signedInAs(world, email);
    const change = (set: Record<string, unknown>) => world.deps().table.update(keys.partner(programId, id), { set });
    const at = NOW.toISOString();
    await change({ status: 'removed', leftAt: at });
    expect(await programsOf(token)).toEqual([{ ...row, status: 'removed', left_at: at }]);
    await change({ status: 'rejected', rejectedAt: at, rejectionReason: 'No' });
    expect(await programsOf(token)).toEqual([
      { ...row, status: 'rejected', left_at: at, rejection_reason: 'No', may_apply_on: '2026-12-20' },
    ]);
  });

  it('shows no program that added another e-mail address', async () => {
    const { add } = await start();
    await add();
    expect(await programsOf((await signedInAs(world)).token)).toEqual([]);
  });
});

describe('if the brand changes a partner’s e-mail address', () => {
  it('before the person signs in, the person with the new address sees the program', async () => {
    const { partners, owner, email, add, row } = await start();
    const { id } = await add();
    const changed = newAddress('changed');
    await owner.patch(`${partners}/${id}`, { email: changed });
    expect(await world.items(`PARTNER_OF_EMAIL#${email}`)).toEqual([]);
    expect(await programsOf((await signedInAs(world, email)).token)).toEqual([]);
    expect(await programsOf((await signedInAs(world, changed)).token)).toEqual([row]);
  });

  it('after the person signed in but before they accepted, the person with the new address sees the program', async () => {
    const { programId, partners, owner, email, add, row } = await start();
    const { id } = await add();
    const former = await signedInAs(world, email);
    const changed = newAddress('changed');
    await owner.patch(`${partners}/${id}`, { email: changed });
    expect(await programsOf(former.token)).toEqual([]);
    expect(await partnerItem(programId, id)).not.toHaveProperty('accountId');
    expect(await programsOf((await signedInAs(world, changed)).token)).toEqual([row]);
  });

  it('after the person accepted, that person’s account stays the partner and the new address gets no access', async () => {
    const { url, partners, owner, email, add, joined: row } = await start();
    const { id } = await add();
    const { token } = await signedInAs(world, email);
    await accepted({ token }, url);
    const changed = newAddress('changed');
    await owner.patch(`${partners}/${id}`, { email: changed });
    expect(await world.items(`PARTNER_OF_EMAIL#${changed}`)).toEqual([]);
    expect(await programsOf(token)).toEqual([row]);
    expect(await programsOf((await signedInAs(world, changed)).token)).toEqual([]);
  });

  it('after the person accepted, and adds another partner with the old address, the account still has one partner', async () => {
    const { url, partners, owner, email, add, joined: row } = await start();
    const { id } = await add();
    const { token } = await signedInAs(world, email);
    await accepted({ token }, url);
    await owner.patch(`${partners}/${id}`, { email: newAddress('changed') });
    await add();
    expect(await programsOf(token)).toEqual([row]);
    expect(await world.items(`PARTNER_OF_EMAIL#${email}`)).toEqual([]);
  });

  it('and an index entry of the old address remains, the next sign-in finds no partner by that entry and deletes it', async () => {
    const { programId, email, add } = await start();
    const { id } = await add(newAddress('other'));
    await world.replace({ pk: `PARTNER_OF_EMAIL#${email}`, sk: `PROGRAM#${programId}`, partnerId: id });
    expect(await programsOf((await signedInAs(world, email)).token)).toEqual([]);
    expect(await world.items(`PARTNER_OF_EMAIL#${email}`)).toEqual([]);
  });
});

it('parallel sign-ins of one account create one partner per program', async () => {
  const { programId, email, add, row } = await start();
  const { id } = await add();
  const people = await Promise.all([1, 2, 3, 4].map(() => signedInAs(world, email)));
  for (const { token } of people) expect(await programsOf(token)).toEqual([row]);
  expect(await partnerItem(programId, id)).toMatchObject({ accountId: people[0]!.account.id });
});
