import { describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { setLinkStatus } from '#lib/service/programs/links/set-link-status.ts';
import { changeProgram } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of actions that the demo calls, without a route.

const UNKNOWN_ID = 999_999;
const BEN = { name: 'Ben', email: 'ben@partners.test' };

const world = openedWorld();

describe('addPartner', () => {
  it('uses the id and name of a person whom another program of the workspace has as a partner', async () => {
    const { program, partner } = await world.brand();
    const settings = { name: 'Second', domain: 'second.test', commissionType: 'fixed', commissionRate: 1 } as const;
    const second = await createProgram(world.deps(), program.workspaceId, settings);
    expect(await addPartner(world.deps(), second.id, { name: 'Anna', email: partner.email })).toEqual({
      ...partner,
      programId: second.id,
      links: ['ana'],
    });
  });

  it('gives a person one id if two programs add the person in parallel', async () => {
    const { program } = await world.brand();
    const settings = { name: 'Second', domain: 'second.test', commissionType: 'fixed', commissionRate: 1 } as const;
    const second = await createProgram(world.deps(), program.workspaceId, settings);
    const added = await Promise.all([program.id, second.id].map((id) => addPartner(world.deps(), id, BEN)));
    expect(added[0]?.id).toBe(added[1]?.id);
  });

  it('refuses an unknown program, an existing partner and a paused program', async () => {
    const brand = await world.brand();
    const add = (programId: number, partner = BEN) => addPartner(world.deps(), programId, partner);
    await expect(add(UNKNOWN_ID)).rejects.toThrow('Program not found');
    await expect(add(brand.program.id, brand.partner)).rejects.toThrow('This partner is already in the program');
    await changeProgram(world, brand, { status: 'paused' });
    await expect(add(brand.program.id)).rejects.toThrow('Program is paused');
  });
});

describe('createLink', () => {
  it('creates a link that leads to the program’s domain by default', async () => {
    const { program, partner } = await world.brand();
    const link = await createLink(world.deps(), program.id, { partnerId: partner.id });
    expect(link).toEqual({
      shortLink: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{8}$/),
      programId: program.id,
      partnerId: partner.id,
      status: 'active',
      destinationUrl: `https://${program.domain}/`,
      createdAt: NOW.toISOString(),
    });
    const destinationUrl = 'https://elsewhere.test/landing';
    const named = { partnerId: partner.id, shortLink: `named-${program.id}`, destinationUrl };
    expect(await createLink(world.deps(), program.id, named)).toMatchObject(named);
  });

  it('refuses an unknown program, an unknown partner and a name that is in use', async () => {
    const brand = await world.brand();
    const { program, partner, shortLink } = brand;
    const create = (programId: number, partnerId: number, name = `free-${programId}`) =>
      createLink(world.deps(), programId, { partnerId, shortLink: name });
    await expect(create(UNKNOWN_ID, partner.id)).rejects.toThrow('Program not found');
    await expect(create(program.id, UNKNOWN_ID)).rejects.toThrow('Partner not found');
    await expect(create(program.id, partner.id, shortLink)).rejects.toThrow('short_link is already taken');
    await expect(create(program.id, partner.id, 'afftest1')).rejects.toThrow('short_link is already taken');
    await changeProgram(world, brand, { status: 'paused' });
    await expect(create(program.id, partner.id)).rejects.toThrow('Program is paused');
    await world.deps().table.update(keys.partner(program.id, partner.id), { set: { status: 'removed' } });
    await expect(create(program.id, partner.id)).rejects.toThrow('Partner is removed from the program');
  });

  it('gives a link name to only one of several parallel requests', async () => {
    const { program, partner } = await world.brand();
    const wanted = { partnerId: partner.id, shortLink: `raced-${program.id}` };
    const racing = Array.from({ length: 8 }, () => createLink(world.deps(), program.id, wanted));
    const outcomes = await Promise.allSettled(racing);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

it('setLinkStatus changes a link’s status only if it is given the link’s program', async () => {
  const [brand, other] = [await world.brand(), await world.brand()];
  const switchOff = (programId: number) => setLinkStatus(world.deps(), programId, brand.shortLink, 'inactive');
  await expect(switchOff(other.program.id)).rejects.toThrow('Link not found');
  expect(await switchOff(brand.program.id)).toMatchObject({ shortLink: brand.shortLink, status: 'inactive' });
  expect(await world.items(`LINK#${brand.shortLink}`)).toMatchObject([{ status: 'inactive' }]);
});

describe('the key of a program', () => {
  it('is replaced by a new one in one step, which also deletes the mark for rotation of the old key', async () => {
    const { program, key: old } = await world.brand();
    await markKeyForRotation(world.deps(), program.id, NOW);
    const { key, masked } = await generateProgramKey(world.deps(), program.id);
    expect(key).toMatch(new RegExp(`^aff_${program.id.toString(36)}_[0-9A-Za-z]{32}$`));
    expect(masked).toBe(`aff_****${key.slice(-4)}`);
    expect(await world.items(`CREDENTIAL#${sha256(old)}`)).toEqual([]);
    const { pk, sk } = keys.credential(sha256(key));
    expect(await world.items(pk)).toEqual([{ pk, sk, class: 'programKey', programId: program.id }]);
  });

  it('remains a single key after any number of parallel requests for a new one', async () => {
    const { program } = await world.brand();
    const generated = await Promise.all(Array.from({ length: 6 }, () => generateProgramKey(world.deps(), program.id)));
    const left = await Promise.all(generated.map(({ key }) => world.items(`CREDENTIAL#${sha256(key)}`)));
    expect(left.flat()).toHaveLength(1);
  });

  it('of an unknown program can be neither generated nor marked for rotation', async () => {
    await expect(generateProgramKey(world.deps(), UNKNOWN_ID)).rejects.toThrow('Program not found');
    await expect(markKeyForRotation(world.deps(), UNKNOWN_ID, NOW)).rejects.toThrow('Program not found');
  });
});
