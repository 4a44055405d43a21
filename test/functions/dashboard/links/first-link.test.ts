import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { MOST_LINKS } from '#lib/service/programs/program/program.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { accepted, programOf } from '#test/support/programs/candidates.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { newAddress, type Person, signedInAs } from '#test/support/programs/people.ts';
import { failing, overtakenBy, replyLost, sentAgain } from '#test/support/table/faults.ts';

const world = openedWorld();

let names = 0;
/** A unique name. */
const newName = () => `Person ${++names}`;
const linkOf = (name: string) => name.toLowerCase().replace(' ', '-');

/** A program that invites people by name. */
async function inviting(settings: object = {}) {
  const its = await programOf(world, { ...settings });
  /** @returns the person, who is signed in and has not accepted */
  const invited = async (name = newName()) => {
    const person = await signedInAs(world);
    const { email } = person.account;
    const { body } = await its.user.post(`${its.url}/partners`, { name, email, invite: true });
    await portal(person.token).get('/me');
    return { ...person, name, partnerId: body.data.id as number };
  };
  const linksOf = async (partnerId: number): Promise<string[]> => (await its.item(partnerId))?.links as string[];
  const accept = ({ token }: Person) => portal(token).post(`${its.url}/accept`, {});
  const audited = async () => {
    const { data } = (await its.user.get('/workspace/audit')).body;
    return (data as Record<string, unknown>[]).filter(({ action }) => action === 'link.created');
  };
  return { ...its, invited, linksOf, accept, audited };
}

/** A link of another program with this name. */
const taken = (name: string) =>
  world.replace({ ...keys.link(name), shortLink: name, status: 'active', destinationUrl: 'https://x.test/' });
const isTaken = async (name: string) => (await world.items(keys.link(name).pk)).length > 0;

describe('a person who accepts a brand’s invitation', () => {
  it('gets a link in the same transaction, with entries in the audit list', async () => {
    const { id, brand, url, invited, accept, linksOf, audited } = await inviting();
    const person = await invited('Ada Lovelace');
    const reply = await accept(person);
    expect(reply.body.data).toMatchObject({ status: 'active', links_left: 5 });
    expect(await linksOf(person.partnerId)).toEqual(['ada-lovelace']);
    expect(await world.items('LINK#ada-lovelace')).toEqual([
      {
        pk: 'LINK#ada-lovelace',
        sk: 'LINK#ada-lovelace',
        gsi1pk: `PROGRAM#${id}#LINKS`,
        gsi1sk: `${NOW.toISOString()}#ada-lovelace`,
        shortLink: 'ada-lovelace',
        programId: id,
        partnerId: person.partnerId,
        status: 'active',
        destinationUrl: `https://${brand.program.domain}/`,
        createdAt: NOW.toISOString(),
      },
    ]);
    expect(await world.deps().table.get(keys.programSize(id))).toMatchObject({ links: 2 });
    const [first] = await audited();
    expect(first).toMatchObject({ target: { type: 'link', id: 'ada-lovelace' }, actor: { kind: 'partner' } });
    const { body } = await portal(person.token).get(`${url}/links`);
    expect(body.data).toMatchObject([{ short_link: 'ada-lovelace', status: 'active' }]);
  });

  it('gets no second link if the acceptance is sent again or many times in parallel', async () => {
    const { invited, accept, linksOf, audited, program } = await inviting();
    const person = await invited();
    const before = await program();
    const replies = await Promise.all(Array.from({ length: 6 }, () => accept(person)));
    expect(new Set(statusesOf(replies))).toEqual(new Set([200]));
    expect((await accept(person)).status).toBe(200);
    expect(await linksOf(person.partnerId)).toEqual([linkOf(person.name)]);
    expect(await audited()).toHaveLength(1);
    expect(await program()).toMatchObject({ partnerCount: Number(before!.partnerCount) + 1 });
  });

  it('gets a link with a numbered name if several people with the same name accept in parallel', async () => {
    const { invited, accept, linksOf } = await inviting();
    const name = newName();
    const people = await Promise.all(Array.from({ length: 4 }, () => invited(name)));
    expect(statusesOf(await Promise.all(people.map(accept)))).toEqual([200, 200, 200, 200]);
    const links = await Promise.all(people.map(({ partnerId }) => linksOf(partnerId)));
    const wanted = linkOf(name);
    expect(links.flat().toSorted()).toEqual([wanted, `${wanted}-2`, `${wanted}-3`, `${wanted}-4`]);
  });

  it('gets a link with a numbered name if another request takes the name between the read and the write', async () => {
    const { invited, accept, linksOf } = await inviting();
    const person = await invited();
    const name = linkOf(person.name);
    const reply = await failing(
      'write',
      overtakenBy(() => taken(name)),
      () => accept(person),
    );
    expect(reply.status).toBe(200);
    expect(await linksOf(person.partnerId)).toEqual([`${name}-2`]);
  });

  it('gets a link whose name ends with six random characters if the numbered names are taken too', async () => {
    const { invited, accept, linksOf } = await inviting();
    const person = await invited();
    const name = linkOf(person.name);
    for (const one of [name, ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${name}-${n}`)]) await taken(one);
    await accept(person);
    expect(await linksOf(person.partnerId)).toEqual([expect.stringMatching(new RegExp(`^${name}-[0-9a-z]{6}$`))]);
  });

  it('has exactly one link if the reply is lost and the acceptance is sent again', async () => {
    const { invited, accept, linksOf, audited } = await inviting();
    for (const [n, fault] of [replyLost, sentAgain].entries()) {
      const person = await invited();
      await failing('write', fault, () => accept(person));
      expect((await accept(person)).status).toBe(200);
      expect(await linksOf(person.partnerId)).toEqual([linkOf(person.name)]);
      expect(await isTaken(`${linkOf(person.name)}-2`)).toBe(false);
      expect(await audited()).toHaveLength(n + 1);
    }
  });

  it('has exactly one link if the brand creates a link for the person in parallel', async () => {
    const { user, url, invited, accept, linksOf, listed, item } = await inviting();
    const person = await listed();
    const [made] = await linksOf(person.partnerId);
    await user.patch(`${url}/links/${made}`, { status: 'inactive' });
    const brandsLink = () => user.post(`${url}/links`, { partner_id: person.partnerId, short_link: `b-${made}` });
    await portal(person.token).get('/me');
    expect((await failing('write', overtakenBy(brandsLink), () => accept(person))).status).toBe(200);
    // The brand's link is active, so no further one is needed.
    expect(await item(person.partnerId)).toMatchObject({ links: [made, `b-${made}`], joinedAt: NOW.toISOString() });
    await invited();
  });
});

describe('the link name that a brand chooses in an invitation', () => {
  it('becomes the name of the first link, with a number at its end if another link has taken the name since', async () => {
    const { id, invited, accept, item } = await inviting();
    const wish = `Wish_${id}`;
    const [one, other] = [await invited(), await invited()];
    for (const { partnerId } of [one, other]) {
      await world.deps().table.update(keys.partner(id, partnerId), { set: { wishedLink: wish } });
    }
    await accept(one);
    await accept(other);
    expect(await item(one.partnerId)).toMatchObject({ links: [wish] });
    expect(await item(one.partnerId)).not.toHaveProperty('wishedLink');
    expect(await item(other.partnerId)).toMatchObject({ links: [`${wish}-2`] });
  });
});

describe('a partner’s first link', () => {
  it('is created when a person joins an open program', async () => {
    const { id, partnerIdOf, linksOf } = await inviting({ join: 'open' });
    const person = await signedInAs(world);
    const join = () => portal(person.token).post(`/join/${id}`, {});
    expect(statusesOf(await Promise.all([join(), join(), join()]))).toEqual([200, 200, 200]);
    const links = await linksOf(await partnerIdOf(person));
    expect(links).toHaveLength(1);
    expect(await isTaken(links[0]!)).toBe(true);
  });

  it('is created when the brand accepts an application, not when the person applies', async () => {
    const { user, url, applicant, linksOf } = await inviting({ join: 'apply' });
    const { partnerId } = await applicant();
    expect(await linksOf(partnerId)).toEqual([]);
    const replies = await Promise.all([1, 2].map(() => user.post(`${url}/partners/${partnerId}/accept`, {})));
    expect(new Set(statusesOf(replies))).toEqual(new Set([200, 409]));
    expect(await linksOf(partnerId)).toHaveLength(1);
    const reply = replies.find(({ status }) => status === 200);
    expect(reply!.body.data.links).toEqual(await linksOf(partnerId));
  });

  it('is created when the brand adds a partner, and the person’s acceptance then creates none', async () => {
    const { user, url, linksOf, audited } = await inviting();
    const person = await signedInAs(world);
    const name = newName();
    const { body } = await user.post(`${url}/partners`, { name, email: person.account.email });
    expect(body.data.links).toEqual([linkOf(name)]);
    await accepted(person, url);
    expect(await linksOf(body.data.id)).toEqual([linkOf(name)]);
    expect(await audited()).toMatchObject([{ target: { id: linkOf(name) }, actor: { kind: 'account' } }]);
  });

  it('is created when a person accepts after the brand has switched all the person’s links off', async () => {
    const { user, url, listed, linksOf } = await inviting();
    const person = await listed();
    const [off] = await linksOf(person.partnerId);
    await user.patch(`${url}/links/${off}`, { status: 'inactive' });
    await accepted(person, url);
    const links = await linksOf(person.partnerId);
    expect(links).toEqual([off, expect.stringMatching(/^ben-/)]);
  });

  it('is not created for a person who left, returns and still has an active link', async () => {
    const { user, url, person: partner, linksOf } = await inviting();
    const person = await partner();
    const links = await linksOf(person.partnerId);
    await portal(person.token).post(`${url}/leave`, {});
    await user.post(`${url}/partners/${person.partnerId}/invite`, {});
    await accepted(person, url);
    expect(await linksOf(person.partnerId)).toEqual(links);
    expect(await world.items(`LINK#${links[0]}`)).toMatchObject([{ status: 'active' }]);
    expect((await world.items(`LINK#${links[0]}`))[0]).not.toHaveProperty('partnerRemoved');
  });
});

describe('a person becomes a partner without a first link', () => {
  it('if the program has reached its limit of links', async () => {
    const { id, invited, accept, linksOf } = await inviting();
    const person = await invited();
    await world.deps().table.update(keys.programSize(id), { set: { links: MOST_LINKS } });
    expect((await accept(person)).status).toBe(200);
    expect(await linksOf(person.partnerId)).toEqual([]);
  });

  it('if another link reaches the program’s limit between the read and the write', async () => {
    const { id, invited, accept, linksOf } = await inviting();
    const person = await invited();
    const fill = () => world.deps().table.update(keys.programSize(id), { set: { links: MOST_LINKS } });
    expect((await failing('write', overtakenBy(fill), () => accept(person))).status).toBe(200);
    expect(await linksOf(person.partnerId)).toEqual([]);
  });

  it('if the program’s domain is not a valid host name', async () => {
    const { owner, user } = await inviting();
    const terms = { commissionType: 'fixed', commissionRate: 1 } as const;
    const odd = { name: 'Odd', domain: 'no host', ...terms };
    const { id } = await createProgram(world.deps(), owner.workspace.id, odd);
    const { body } = await user.post(`/programs/${id}/partners`, { name: newName(), email: newAddress() });
    expect(body.data).toMatchObject({ status: 'active', links: [] });
  });
});
