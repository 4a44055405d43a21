import { addedByBrand } from '#test/support/programs/partners.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand, withProgramTerms } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { handler as testEvent } from '#functions/cli/test-event.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a single partner and a single link, each as shown in its list. NOW is 2026-11-20.

const EARLIER = new Date('2026-11-05T10:00:00.000Z');

const world = openedWorld();
let own: OwnedBrand;
beforeAll(async () => {
  own = await ownedBrand(world);
  await soldTo(own, 'earlier', { transaction_id: 'earlier' }, { at: EARLIER });
  await soldTo(own, 'today', { transaction_id: 'today', amount_cents: 1000 });
  await clicked(own);
  await counted(world);
});

const partnerUrl = (of: OwnedBrand = own) => `${own.path}/partners/${of.partner.id}`;
const linkUrl = (of: OwnedBrand = own) => `${own.path}/links/${of.shortLink}`;

/** Each request is in a separate minute because of the rate limit. */
let minute = 0;
const ask = (url: string, user = own.owner): Promise<TestReply> =>
  user.get(url, { at: new Date(NOW.getTime() + ++minute * 60_000) });
const headers = () => countedHeaders(300, 1, new Date(NOW.getTime() + minute * 60_000));

describe('GET of one partner or one link answers 200', () => {
  it('and returns the partner with the figures of all time', async () => {
    expect(await ask(partnerUrl())).toEqual({
      status: 200,
      headers: headers(),
      body: {
        data: {
          id: own.partner.id,
          name: 'Ana',
          email: 'ana@partners.test',
          status: 'active',
          ...withProgramTerms(own.program),
          links: [own.shortLink],
          clicks: 3,
          bot_clicks: 0,
          repeat_clicks: 0,
          leads: 2,
          sales: 2,
          amounts: { USD: { revenue_cents: 5900, commission_cents: 1180, paid_out_cents: 0 } },
          payout: null,
          mail: 'ok',
          ...addedByBrand,
          created_at: NOW.toISOString(),
        },
      },
    });
  });

  it('and returns the link with the figures of all time', async () => {
    expect(await ask(linkUrl())).toEqual({
      status: 200,
      headers: headers(),
      body: {
        data: {
          short_link: own.shortLink,
          url: own.affiliateUrl,
          destination_url: `https://${own.program.domain}/`,
          partner_id: own.partner.id,
          partner_name: 'Ana',
          status: 'active',
          clicks: 3,
          bot_clicks: 0,
          repeat_clicks: 0,
          leads: 2,
          sales: 2,
          amounts: { USD: { revenue_cents: 5900, commission_cents: 1180 } },
          last_clicked_at: NOW.toISOString(),
          created_at: NOW.toISOString(),
        },
      },
    });
  });

  it.each(['', '?from=2026-11-05&to=2026-11-05', '?to=2026-11-19', '?from=2026-11-20', '?sort=nothing'])(
    'and returns the same row as the list if both have the query "%s"',
    async (query) => {
      const listed = async (list: string) => (await ask(`${own.path}/${list}${query.replace(/\?sort=.*/, '')}`)).body;
      expect((await ask(partnerUrl() + query)).body.data).toEqual((await listed('partners')).data[0]);
      expect((await ask(linkUrl() + query)).body.data).toEqual((await listed('links')).data[0]);
    },
  );

  it('and returns the figures of a period if the query names one', async () => {
    const query = '?from=2026-11-20&to=2026-11-20';
    const figures = { clicks: 2, leads: 1, sales: 1 };
    const amounts = { revenue_cents: 1000, commission_cents: 200 };
    expect((await ask(partnerUrl() + query)).body.data).toMatchObject({
      ...figures,
      amounts: { USD: { ...amounts, paid_out_cents: null } },
    });
    expect((await ask(linkUrl() + query)).body.data).toMatchObject({ ...figures, amounts: { USD: amounts } });
  });

  it('and also finds removed partners, inactive links and links without a partner', async () => {
    const other = await ownedBrand(world);
    await other.owner.patch(`${other.path}/partners/${other.partner.id}`, { status: 'removed' });
    await other.owner.patch(`${other.path}/links/${other.shortLink}`, { status: 'inactive' });
    const { data: partner } = (await other.owner.get(`${other.path}/partners/${other.partner.id}`)).body;
    expect(partner).toMatchObject({ status: 'removed', links: [other.shortLink] });
    const [stored] = await world.items(`LINK#${other.shortLink}`);
    const { partnerId: _, ...unlinked } = stored!;
    await world.replace(unlinked);
    const { data: link } = (await other.owner.get(`${other.path}/links/${other.shortLink}`)).body;
    expect(link).toMatchObject({ status: 'inactive', partner_id: null, partner_name: null });
  });

  it('and reads at most ten units and makes no query, for any number of partners and links', async () => {
    for (const url of [partnerUrl(), linkUrl()]) {
      const calls = await sentCalls(() => ask(url));
      // At most ten units: the caller, the program, the row, its partner and its counter.
      expect(unitsOf(calls).read).toBeLessThanOrEqual(10);
      expect(calls.filter(({ name }) => name === 'QueryCommand')).toEqual([]);
    }
  });
});

const noPartner = platformError(404, 'Partner not found');
const noLink = platformError(404, 'Link not found');

describe('GET of one partner or one link answers 404', () => {
  it.each(['999999', '0', 'x', '9'.repeat(30), 'ana@partners.test'])(
    '“Partner not found” for the partner id %s',
    async (id) => {
      expect(await ask(`${own.path}/partners/${id}`)).toEqual({ status: 404, headers: headers(), body: noPartner });
    },
  );

  it.each(['nobody', 'ab', 'x'.repeat(65), 'a%20b'])('“Link not found” for the link %s', async (name) => {
    expect(await ask(`${own.path}/links/${name}`)).toEqual({ status: 404, headers: headers(), body: noLink });
  });

  it('for a partner or link of another workspace, or of another program of the same workspace', async () => {
    const other = await ownedBrand(world);
    expect((await ask(partnerUrl(other))).body).toEqual(noPartner);
    expect((await ask(linkUrl(other))).body).toEqual(noLink);
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 1 };
    const { id } = (await own.owner.post('/programs', settings)).body.data;
    const wanted = { name: 'Ben', email: newAddress() };
    const { data: ben } = (await own.owner.post(`/programs/${id}/partners`, wanted)).body;
    const { data: link } = (await own.owner.post(`/programs/${id}/links`, { partner_id: ben.id })).body;
    expect((await ask(`${own.path}/partners/${ben.id}`)).body).toEqual(noPartner);
    expect((await ask(`${own.path}/links/${link.short_link}`)).body).toEqual(noLink);
    expect((await ask(`/programs/${id}/partners/${ben.id}`)).status).toBe(200);
    expect((await ask(`/programs/${id}/links/${link.short_link}`)).status).toBe(200);
  });

  it('for the link that verification runs use', async () => {
    await send(testEvent, { key: own.key, body: { type: 'chain' } });
    const name = `afftest${own.program.id}`;
    expect(await world.items(`LINK#${name}`)).toHaveLength(1);
    expect((await ask(`${own.path}/links/${name}`)).body).toEqual(noLink);
  });

  it('before it validates the period in the query', async () => {
    expect((await ask(`${own.path}/partners/999999?from=x`)).body).toEqual(noPartner);
    expect((await ask(`${own.path}/links/nobody?from=x`)).body).toEqual(noLink);
  });
});
