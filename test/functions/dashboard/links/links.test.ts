import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { anotherPartner, changeLink } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

async function ownedBrand() {
  const brand = await world.brand();
  const { token, workspace } = await ownerOfBrand(world, brand);
  const url = `/programs/${brand.program.id}`;
  return { brand, workspace, user: dashboard(token), url, links: `${url}/links`, partnerId: brand.partner.id };
}

const clickStatus = async (affiliateUrl: string) =>
  (await send(click, { body: { affiliate_url: affiliateUrl } })).status;

describe('POST /programs/{id}/links', () => {
  it('creates a link with the sent name that leads to the program’s domain', async () => {
    const { brand, user, links, partnerId } = await ownedBrand();
    const reply = await user.post(links, { partner_id: partnerId });
    const { short_link: name } = reply.body.data;
    expect(name).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
    const link = {
      short_link: name,
      url: `https://${brand.program.domain}/?aff=${name}`,
      destination_url: `https://${brand.program.domain}/`,
      partner_id: partnerId,
      partner_name: 'Ana',
      status: 'active',
      clicks: 0,
      bot_clicks: 0,
      repeat_clicks: 0,
      leads: 0,
      sales: 0,
      amounts: {},
      last_clicked_at: null,
      created_at: NOW.toISOString(),
    };
    expect(reply).toEqual(dataReply(link));
    expect(await world.items(`LINK#${name}`)).toEqual([
      {
        pk: `LINK#${name}`,
        sk: `LINK#${name}`,
        gsi1pk: `PROGRAM#${brand.program.id}#LINKS`,
        gsi1sk: `${NOW.toISOString()}#${name}`,
        shortLink: name,
        programId: brand.program.id,
        partnerId,
        status: 'active',
        destinationUrl: link.destination_url,
        createdAt: NOW.toISOString(),
      },
    ]);
    expect(await clickStatus(link.url)).toBe(200);
    const { body } = await user.get(`/programs/${brand.program.id}/partners`);
    expect(body.data[0].links).toEqual([brand.shortLink, name]);
  });

  it('creates an http link if the program’s site is on localhost', async () => {
    const brand = await world.brand({ domain: 'localhost:4600' });
    const { token } = await ownerOfBrand(world, brand);
    const { body } = await dashboard(token).post(`/programs/${brand.program.id}/links`, {
      partner_id: brand.partner.id,
      short_link: 'local-shop',
    });
    expect(body.data).toMatchObject({
      url: 'http://localhost:4600/?aff=local-shop',
      destination_url: 'http://localhost:4600/',
    });
  });

  it('accepts a name with upper-case letters, and also succeeds for a member', async () => {
    const { brand, workspace, links, partnerId } = await ownedBrand();
    const user = dashboard((await memberOf(world, workspace)).token);
    for (const name of [
      brand.shortLink.toUpperCase(),
      `A_z-${brand.program.id}`,
      `x${brand.program.id}`.padEnd(64, 'y'),
    ]) {
      const { body } = await user.post(links, { partner_id: partnerId, short_link: name });
      expect(body.data.short_link).toBe(name);
    }
  });

  it('accepts the partner’s id as a string too', async () => {
    const { user, links, partnerId } = await ownedBrand();
    expect((await user.post(links, { partner_id: String(partnerId) })).body.data.partner_id).toBe(partnerId);
  });

  it.each([
    ['https://acme.test', 'https://acme.test/', 'https://acme.test/?aff=NAME'],
    ['http://ACME.test:80/p', 'http://acme.test/p', 'http://acme.test/p?aff=NAME'],
    ['https://acme.test/p?x=1&y=2', undefined, 'https://acme.test/p?x=1&y=2&aff=NAME'],
    ['https://acme.test/p#part', undefined, 'https://acme.test/p?aff=NAME#part'],
    ['https://acme.test/?x=1#part', undefined, 'https://acme.test/?x=1&aff=NAME#part'],
    ['https://acme.test/?aff=other&x=1&aff=more', undefined, 'https://acme.test/?aff=NAME&x=1'],
    ['https://bücher.test/ü', 'https://xn--bcher-kva.test/%C3%BC', 'https://xn--bcher-kva.test/%C3%BC?aff=NAME'],
  ])('creates a link that leads to %s', async (sent, kept = sent, url) => {
    const { user, links, partnerId } = await ownedBrand();
    const { body } = await user.post(links, { partner_id: partnerId, destination_url: sent });
    const { short_link: name } = body.data;
    expect(body.data).toMatchObject({ destination_url: kept, url: url.replace('NAME', name) });
    expect(await clickStatus(body.data.url)).toBe(200);
  });

  it('requires a destination if the program’s domain, which the CLI did not check, is not a valid host name', async () => {
    const { workspace, user } = await ownedBrand();
    const terms = { commissionType: 'fixed', commissionRate: 1 } as const;
    const program = await createProgram(world.deps(), workspace.id, { name: 'Odd', domain: 'no host', ...terms });
    const url = `/programs/${program.id}`;
    const { body: partner } = await user.post(`${url}/partners`, { name: 'Ana', email: 'ana@odd.test' });
    expect((await user.post(`${url}/links`, { partner_id: partner.data.id })).body).toEqual(
      platformError(400, 'destination_url must be an absolute http or https URL'),
    );
    const wanted = { partner_id: partner.data.id, destination_url: 'https://odd.test/' };
    expect((await user.post(`${url}/links`, wanted)).status).toBe(200);
  });
});

describe('POST /programs/{id}/links is answered 409 “short_link is already taken”', () => {
  const taken = platformError(409, 'short_link is already taken');

  it('for the name of a link of any program, of an inactive link, and of the links that verification runs use', async () => {
    const { brand, user, links, partnerId } = await ownedBrand();
    const other = await world.brand();
    await changeLink(world, other, { status: 'inactive' });
    for (const name of [brand.shortLink, other.shortLink, 'afftest', 'afftest1', 'afftest_mine']) {
      expect((await user.post(links, { partner_id: partnerId, short_link: name })).body).toEqual(taken);
    }
    expect((await user.get(links)).body.data).toHaveLength(1);
  });

  it('but not for a name that is only similar to a reserved one', async () => {
    const { brand, user, links, partnerId } = await ownedBrand();
    for (const name of [`AffTest${brand.program.id}`, `my-afftest${brand.program.id}`]) {
      expect((await user.post(links, { partner_id: partnerId, short_link: name })).status).toBe(200);
    }
  });

  it('for all requests but one if several programs ask for the same name in parallel', async () => {
    const brands = [await ownedBrand(), await ownedBrand(), await ownedBrand()];
    const replies = await Promise.all(
      brands.flatMap(({ user, links, partnerId }) =>
        [1, 2].map(() => user.post(links, { partner_id: partnerId, short_link: 'raced' })),
      ),
    );
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(await world.items('LINK#raced')).toMatchObject([{ partnerId: made[0]?.body.data.partner_id }]);
    const lists = await Promise.all(brands.map(({ user, links }) => user.get(links)));
    expect(lists.flatMap(({ body }) => body.data).filter(({ short_link: name }) => name === 'raced')).toHaveLength(1);
  });
});

describe('POST /programs/{id}/links is answered 409', () => {
  it('“Partner is removed” for a removed partner, before the name is checked', async () => {
    const { brand, user, url, links, partnerId } = await ownedBrand();
    await user.patch(`${url}/partners/${partnerId}`, { status: 'removed' });
    const { body } = await user.post(links, { partner_id: partnerId, short_link: brand.shortLink });
    expect(body).toEqual(platformError(409, 'Partner is removed from the program'));
  });

  it('“Program is paused” for a paused program, after the name is checked', async () => {
    const { brand, user, url, links, partnerId } = await ownedBrand();
    await user.patch(url, { status: 'paused' });
    const free = await user.post(links, { partner_id: partnerId });
    expect(free.body).toEqual(platformError(409, 'Program is paused'));
    const taken = await user.post(links, { partner_id: partnerId, short_link: brand.shortLink });
    expect(taken.body).toEqual(platformError(409, 'short_link is already taken'));
  });
});

it('links of one partner that are created in parallel are all stored', async () => {
  const { user, url, links, partnerId } = await ownedBrand();
  const replies = await Promise.all(Array.from({ length: 6 }, () => user.post(links, { partner_id: partnerId })));
  const made = replies.map(({ body }) => body.data.short_link);
  const { body } = await user.get(`${url}/partners`);
  expect(new Set(body.data[0].links.slice(1))).toEqual(new Set(made));
});

describe('GET /programs/{id}/links', () => {
  it('lists the links of the program, oldest first, and filters by partner and status', async () => {
    const { brand, user, url, partnerId } = await ownedBrand();
    const ben = await anotherPartner(world, brand, 'Ben');
    await world.brand();
    const early = await user.post(`${url}/links`, { partner_id: ben.partner.id }, { at: new Date(NOW.getTime() - 1) });
    await user.patch(`${url}/links/${ben.shortLink}`, { status: 'inactive' });
    const first: string = early.body.data.short_link;
    const names = async (query: string) =>
      (await everyPage(user, `${url}/links${query}`)).map((page) => page.map(({ short_link: name }) => name));
    expect(new Set((await names('')).flat())).toEqual(new Set([first, ben.shortLink, brand.shortLink]));
    expect((await names('')).flat()[0]).toBe(first);
    expect(await names(`?partner_id=${ben.partner.id}`)).toEqual([[first, ben.shortLink]]);
    expect(await names(`?partner_id=${ben.partner.id}&status=inactive`)).toEqual([[ben.shortLink]]);
    expect(await names(`?partner_id=${partnerId}&status=active&limit=1`)).toEqual([[brand.shortLink]]);
    for (const nothing of ['999999', 'x', '0', '']) expect(await names(`?partner_id=${nothing}`)).toEqual([[]]);
    expect(await names('?limit=1')).toHaveLength(3);
  });

  it('shows no partner for a link that the operator unlinked from its partner', async () => {
    const { brand, user, links } = await ownedBrand();
    await changeLink(world, brand, { partnerId: undefined });
    expect((await user.get(links)).body.data).toMatchObject([
      { short_link: brand.shortLink, partner_id: null, partner_name: null },
    ]);
  });
});

describe('PATCH /programs/{id}/links/{short_link}', () => {
  it('switches a link off, so that clicks on it are refused, and switches it on again', async () => {
    const { brand, workspace, links } = await ownedBrand();
    const user = dashboard((await memberOf(world, workspace)).token);
    const { body: before } = await user.get(links);
    const url = `${links}/${brand.shortLink}`;
    expect(await user.patch(url, { status: 'inactive' })).toEqual(
      dataReply({ ...before.data[0], status: 'inactive' }, 2),
    );
    expect(await clickStatus(brand.affiliateUrl)).toBe(410);
    expect((await user.patch(url, { status: 'active' })).body).toEqual({ data: before.data[0] });
    expect(await clickStatus(brand.affiliateUrl)).toBe(200);
  });

  it('is answered 404 “Link not found” for another program’s link, for a name in other upper and lower case, and for an invalid name', async () => {
    const { brand, user, links } = await ownedBrand();
    const other = await world.brand();
    for (const name of [other.shortLink, brand.shortLink.toUpperCase(), 'never', 'x', 'a%20b', 'x'.repeat(3000)]) {
      const { body } = await user.patch(`${links}/${name}`, { status: 'inactive' });
      expect(body).toEqual(platformError(404, 'Link not found'));
    }
    expect(await clickStatus(other.affiliateUrl)).toBe(200);
  });
});
