import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const conflict = (message: string) => platformError(409, message);
const full = (most: number) => conflict(`You can make at most ${most} links in this program`);
const switchedOff = conflict('This link was switched off by the program');

/** Starts with a partner who has this limit of links. */
async function start(settings: object = {}) {
  const program = await programOf(world, { ...settings });
  const { token, partnerId } = await program.person();
  const own = portal(token);
  const { url } = program;
  const [first] = (await program.item(partnerId))!.links as string[];
  return {
    ...program,
    /** The link that the person got by accepting. */
    first,
    ...own,
    partnerId,
    left: async () => (await own.get(url)).body.data.links_left as number,
    make: async (body: object = {}) => (await own.post(`${url}/links`, body)).body.data.short_link as string,
    turn: (shortLink: string, status: string) => own.patch(`${url}/links/${shortLink}`, { status }),
    brandTurns: (shortLink: string, status: string) => program.user.patch(`${url}/links/${shortLink}`, { status }),
  };
}

/** An active link as the partner sees it, without click qualities. */
function partnersView({ bot_clicks, repeat_clicks, ...link }: Record<string, unknown>) {
  expect([bot_clicks, repeat_clicks]).toEqual([0, 0]);
  return { ...link, switched_off_by: null };
}

describe('POST /programs/{id}/links', () => {
  it('creates a link that accepts clicks, and lowers the number of links that the partner can still create', async () => {
    const { post, url, brand, partnerId, item, left, first } = await start();
    const destination_url = `https://${brand.program.domain}/pricing`;
    const shortLink = `bens-${brand.program.id}`;
    const { status, headers, body } = await post(`${url}/links`, { short_link: shortLink, destination_url });
    expect({ status, headers }).toEqual({ status: 200, headers: countedHeaders(300, 4) });
    expect(body.data).toEqual({
      short_link: shortLink,
      url: `${destination_url}?aff=${shortLink}`,
      destination_url,
      partner_id: partnerId,
      partner_name: 'Ben',
      status: 'active',
      clicks: 0,
      leads: 0,
      sales: 0,
      amounts: {},
      last_clicked_at: null,
      created_at: NOW.toISOString(),
      switched_off_by: null,
    });
    expect(await item(partnerId)).toMatchObject({ links: [first, shortLink], ownLinks: [shortLink], linksMade: 1 });
    expect((await world.items(`LINK#${shortLink}`))[0]).toMatchObject({ madeByPartner: true });
    expect((await send(click, { body: { affiliate_url: body.data.url } })).status).toBe(200);
    expect(await left()).toBe(4);
  });

  it('accepts as destination only the program’s own site and its allowed origins', async () => {
    const { post, url, brand } = await start({ allowed_origins: ['https://*.shop.test'], links_per_partner: 50 });
    const { domain } = brand.program;
    const sent = (destination_url: string) => post(`${url}/links`, { destination_url });
    for (const fine of [
      `https://${domain}/a`,
      `http://${domain}/?x=1`,
      'https://eu.shop.test/',
      `https://${domain}./`,
    ]) {
      const { status } = await sent(fine);
      expect([fine, status]).toEqual([fine, fine.endsWith('./') ? 400 : 200]);
    }
    const elsewhere = platformError(400, "destination_url must be on the program's own site");
    for (const wrong of [
      'https://evil.test/',
      `https://${domain}.evil.test/`,
      `https://evil.test/${domain}`,
      `https://${domain}@evil.test/`,
      `https://${domain}:8443/`,
      `https://sub.${domain}/`,
      'https://shop.test/',
      'http://eu.shop.test/',
    ]) {
      expect((await sent(wrong)).body).toEqual(elsewhere);
    }
    for (const invalid of ['javascript:alert(1)', 'nowhere', 7]) {
      expect((await post(`${url}/links`, { destination_url: invalid })).body).toEqual(
        platformError(400, 'destination_url must be an absolute http or https URL'),
      );
    }
  });

  it('answers 409 above the program’s limit of links per partner, which does not apply to links that the brand creates', async () => {
    const { post, url, user, partnerId, make, left } = await start({ links_per_partner: 2 });
    await user.post(`${url}/links`, { partner_id: partnerId });
    await make();
    await make();
    expect(await left()).toBe(0);
    expect((await post(`${url}/links`, {})).body).toEqual(full(2));
    expect((await user.post(`${url}/links`, { partner_id: partnerId })).status).toBe(200);
    await user.patch(url, { links_per_partner: 0 });
    expect((await post(`${url}/links`, {})).body).toEqual(full(0));
    await user.patch(url, { links_per_partner: 3 });
    expect((await post(`${url}/links`, {})).status).toBe(200);
  });

  it('answers 409 for a partner who has created 200 links, even if most are switched off', async () => {
    const { post, url, id, partnerId, left } = await start({ links_per_partner: 50 });
    await world.deps().table.update(keys.partner(id, partnerId), { set: { linksMade: 199 } });
    expect(await left()).toBe(1);
    expect((await post(`${url}/links`, {})).status).toBe(200);
    expect((await post(`${url}/links`, {})).body).toEqual(full(200));
  });

  it('creates no more links than the limit allows if requests arrive in parallel', async () => {
    const { post, url, item, partnerId, first } = await start({ links_per_partner: 2 });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => post(`${url}/links`, {})));
    expect(statusesOf(replies)).toEqual([200, 200, 409, 409, 409]);
    const { links, ownLinks } = (await item(partnerId))!;
    expect(links).toEqual([first, ...(ownLinks as string[])]);
    expect(ownLinks).toHaveLength(2);
  });

  it('answers 409 to a person who is not yet a partner, before the link’s name is checked', async () => {
    const { url, person, brand } = await start();
    const { token } = await person({ invite: true });
    expect((await portal(token).post(`${url}/links`, { short_link: brand.shortLink })).body).toEqual(
      conflict('You are not a partner of this program yet'),
    );
    const partner = await person();
    expect((await portal(partner.token).post(`${url}/links`, { short_link: brand.shortLink })).body).toEqual(
      conflict('short_link is already taken'),
    );
    expect((await portal(partner.token).post(`${url}/links`, { short_link: 'x y' })).body).toEqual(
      platformError(400, 'short_link must be 3 to 64 characters of A-Z, a-z, 0-9, _ and -'),
    );
  });
});

describe('PATCH /programs/{id}/links/{short_link}', () => {
  it('switches a link off, so the partner can create another, and switches it on again while the limit allows', async () => {
    const { make, turn, left, url, post, item, partnerId, first } = await start({ links_per_partner: 1 });
    const link = await make();
    expect((await turn(link, 'inactive')).body.data).toMatchObject({
      short_link: link,
      status: 'inactive',
      switched_off_by: 'partner',
    });
    expect((await turn(link, 'inactive')).body.data.status).toBe('inactive');
    expect(await left()).toBe(1);
    expect((await turn(link, 'active')).body.data).toMatchObject({ status: 'active', switched_off_by: null });
    expect((await post(`${url}/links`, {})).body).toEqual(full(1));
    await turn(link, 'inactive');
    const other = await make();
    expect((await turn(link, 'active')).body).toEqual(full(1));
    expect(await item(partnerId)).toMatchObject({ links: [first, link, other], ownLinks: [other], linksMade: 2 });
  });

  it('answers 409 to a partner who switches on a link that the brand switched off', async () => {
    const { make, turn, brandTurns, left, user, url, get, partnerId } = await start();
    const own = await make();
    const given = (await user.post(`${url}/links`, { partner_id: partnerId })).body.data.short_link;
    for (const link of [own, given]) {
      await brandTurns(link, 'inactive');
      expect((await turn(link, 'active')).body).toEqual(switchedOff);
      expect((await turn(link, 'inactive')).body.data).toMatchObject({
        status: 'inactive',
        switched_off_by: 'program',
      });
      expect((await turn(link, 'active')).body).toEqual(switchedOff);
    }
    expect(await left()).toBe(5);
    await brandTurns(own, 'active');
    expect(await left()).toBe(4);
    // The partner switches the link off first, then the brand.
    await turn(own, 'inactive');
    await brandTurns(own, 'inactive');
    expect((await turn(own, 'active')).body).toEqual(switchedOff);
    const { data } = (await get(`${url}/links`)).body;
    expect(data.map((link: Record<string, unknown>) => link.switched_off_by)).toEqual([null, 'program', 'program']);
  });

  it('answers 400 for an invalid status', async () => {
    const { turn, make, patch, url } = await start();
    const link = await make();
    expect((await turn(link, 'gone')).body).toEqual(
      platformError(400, 'Invalid status: gone. Valid: active, inactive'),
    );
    expect((await patch(`${url}/links/${link}`, {})).body).toEqual(
      platformError(400, 'Missing required fields: status'),
    );
  });

  it('leaves a link off if the brand switches it off while the partner switches it on', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { make, turn, brandTurns, item, partnerId } = await start();
      const link = await make();
      await turn(link, 'inactive');
      await Promise.all([turn(link, 'active'), brandTurns(link, 'inactive')]);
      expect((await world.items(`LINK#${link}`))[0]).toMatchObject({ status: 'inactive' });
      expect((await turn(link, 'active')).body).toEqual(switchedOff);
      expect(await item(partnerId)).toMatchObject({ ownLinks: [] });
    }
  });

  it('switches on no more links than the limit allows if requests arrive in parallel', async () => {
    const { make, turn, user, url, item, partnerId } = await start({ links_per_partner: 4 });
    const links = [await make(), await make(), await make(), await make()];
    for (const link of links) await turn(link, 'inactive');
    await user.patch(url, { links_per_partner: 2 });
    const replies = await Promise.all(links.map((link) => turn(link, 'active')));
    expect(statusesOf(replies)).toEqual([200, 200, 409, 409]);
    expect((await item(partnerId))!.ownLinks).toHaveLength(2);
  });
});

describe('GET /programs/{id}/links', () => {
  it('lists only the partner’s own links with their counts, oldest first', async () => {
    const { get, make, url, user, partnerId, brand, owner, first: made } = await start();
    const given = (await user.post(`${url}/links`, { partner_id: partnerId })).body.data;
    const own = await make();
    for (const affiliate_url of [given.url, given.url, brand.affiliateUrl]) {
      await send(click, { body: { affiliate_url } });
    }
    await counted(world);
    const { body } = await get(`${url}/links`);
    expect(body.meta).toEqual({ next_cursor: null });
    expect(body.data).toEqual([
      expect.objectContaining({ short_link: made, clicks: 0 }),
      { ...partnersView(given), clicks: 2, last_clicked_at: NOW.toISOString() },
      expect.objectContaining({ short_link: own, clicks: 0 }),
    ]);
    const first = (await get(`${url}/links?limit=1`)).body;
    const second = (await get(`${url}/links?limit=2&cursor=${first.meta.next_cursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(body.data);
    expect(second.meta.next_cursor).toBeNull();
    expect((await portal(owner.token).get(`${url}/links?as=${partnerId}`)).body).toEqual(body);
    for (const query of ['limit=0', 'cursor=x']) expect((await get(`${url}/links?${query}`)).status).toBe(400);
  });
});
