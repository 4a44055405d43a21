import { describe, expect, it } from 'vitest';
import { handler as init } from '#functions/cli/init.ts';
import { MOST_LINKS, MOST_PARTNERS } from '#lib/service/programs/program/program.ts';
import { MOST_PROGRAMS } from '#lib/service/people/workspaces/workspace.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The limits for programs, partners and links. Counters are set near the limit, as after that many creations.

const programTerms = { name: 'Another', domain: 'another.test', commission_type: 'fixed', commission_rate: 1 };
const atBound = (name: string) => refusal(409, name);
const programsFull = atBound('A workspace has at most 100 programs');
const partnersFull = atBound('A program has at most 10000 partners');
const linksFull = atBound('A program has at most 20000 links');

/** The status and body of each reply, the refusal last. */
const outcomes = (replies: readonly TestReply[]) =>
  replies
    .map(({ status, body }) => (status === 200 ? { status } : { status, body }))
    .toSorted((one, other) => one.status - other.status);

const world = openedWorld();

/** A brand with an owner at the dashboard. */
async function ownedBrand() {
  const brand = await world.brand();
  const { token } = await ownerOfBrand(world, brand);
  const { id, workspaceId } = brand.program;
  return {
    id,
    workspaceId,
    token,
    table: world.deps().table,
    addProgram: () => dashboard(token).post('/programs', programTerms),
    addPartner: () => dashboard(token).post(`/programs/${id}/partners`, { name: 'Cy', email: newAddress() }),
    addLink: (partnerId = brand.partner.id) =>
      dashboard(token).post(`/programs/${id}/links`, { partner_id: partnerId }),
    partnerId: brand.partner.id,
  };
}

const listedPrograms = async (token: string) => (await dashboard(token).get('/programs?limit=100')).body.data.length;

describe('the programs of a workspace', () => {
  it('are limited to 100, even if two are created in parallel', async () => {
    const { workspaceId, token, table, addProgram } = await ownedBrand();
    await table.update(keys.workspace(workspaceId), { set: { programCount: MOST_PROGRAMS - 1 } });
    expect(outcomes(await Promise.all([addProgram(), addProgram()]))).toEqual([{ status: 200 }, programsFull]);
    expect(await addProgram()).toMatchObject(programsFull);
    expect(await send(init, { key: token, body: programTerms })).toMatchObject(programsFull);
    expect(await listedPrograms(token)).toBe(2);
    expect(await world.items(`WORKSPACE#${workspaceId}`)).toMatchObject([{ programCount: MOST_PROGRAMS }]);
  });

  it('are created in parallel with a change of members, and neither is lost', async () => {
    const { workspaceId, addProgram } = await ownedBrand();
    const email = newAddress();
    await Promise.all([addProgram(), setMember(world.deps(), workspaceId, { email, role: 'member' }), addProgram()]);
    const [workspace] = await world.items(`WORKSPACE#${workspaceId}`);
    expect(workspace).toMatchObject({ programCount: 3, members: [{}, { email }] });
  });
});

it('the partners of a program are limited to 10,000, even if two are added in parallel', async () => {
  const { id, table, addPartner } = await ownedBrand();
  await table.update(keys.program(id), { set: { partnerCount: MOST_PARTNERS - 1 } });
  expect(outcomes(await Promise.all([addPartner(), addPartner()]))).toEqual([{ status: 200 }, partnersFull]);
  expect(await addPartner()).toMatchObject(partnersFull);
  const left = await world.items(`PROGRAM#${id}`);
  expect(left.filter(({ sk }) => String(sk).startsWith('PARTNER#'))).toHaveLength(2);
  expect(left.find(({ sk }) => sk === 'PROGRAM')).toMatchObject({ partnerCount: MOST_PARTNERS });
});

const sizeOf = async (id: number) => (await world.items(`PROGRAM#${id}`)).find(({ sk }) => sk === 'SIZE');

describe('the links of a program', () => {
  it('are limited to 20,000, even if two are created in parallel', async () => {
    const { id, table, addPartner, addLink, token } = await ownedBrand();
    const { id: otherPartner } = (await addPartner()).body.data;
    await table.update(keys.programSize(id), { set: { links: MOST_LINKS - 1 } });
    expect(outcomes(await Promise.all([addLink(), addLink(otherPartner)]))).toEqual([{ status: 200 }, linksFull]);
    expect(await addLink()).toMatchObject(linksFull);
    expect((await dashboard(token).get(`/programs/${id}/links`)).body.data).toHaveLength(3);
    expect(await sizeOf(id)).toEqual({ ...keys.programSize(id), links: MOST_LINKS });
  });

  it('are counted only if they were created, not if their request was refused', async () => {
    const { id, addLink, token, partnerId } = await ownedBrand();
    await dashboard(token).post(`/programs/${id}/links`, { partner_id: partnerId, short_link: `once-${id}` });
    const again = await dashboard(token).post(`/programs/${id}/links`, {
      partner_id: partnerId,
      short_link: `once-${id}`,
    });
    expect(again.status).toBe(409);
    await addLink();
    expect(await sizeOf(id)).toEqual({ ...keys.programSize(id), links: 3 });
  });
});
