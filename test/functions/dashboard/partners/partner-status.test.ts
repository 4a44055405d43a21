import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { anotherPartner, signedUp } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

async function ownedBrand() {
  const brand = await world.brand();
  const { token, workspace } = await ownerOfBrand(world, brand);
  const url = `/programs/${brand.program.id}`;
  return { brand, workspace, user: dashboard(token), url, partnerUrl: `${url}/partners/${brand.partner.id}` };
}

const clickStatus = async (affiliateUrl: string) =>
  (await send(click, { body: { affiliate_url: affiliateUrl } })).status;

let sales = 0;
const sell = (brand: Brand, customerKey: string) =>
  send(sale, {
    key: brand.key,
    body: { transaction_id: `sale-${++sales}`, amount_cents: 100, customer_key: customerKey },
  });

const noRelation = codedError(400, 'no_attribution', 'No partner-program relationship found for this customer');

describe('PATCH of a partner’s status', () => {
  it('with removed: links answer 410 and sales of the partner’s customers are refused; with active: both work again', async () => {
    const { brand, user, url, partnerUrl } = await ownedBrand();
    await signedUp(brand, 'u1');
    const { body: second } = await user.post(`${url}/links`, { partner_id: brand.partner.id });
    const links = [brand.affiliateUrl, second.data.url];
    const { body: before } = await user.get(`${url}/partners`);

    expect(await user.patch(partnerUrl, { status: 'removed' })).toEqual(
      dataReply({ ...before.data[0], status: 'removed' }, 3),
    );
    expect(await Promise.all(links.map(clickStatus))).toEqual([410, 410]);
    expect((await sell(brand, 'u1')).body).toEqual(noRelation);
    expect((await user.get(`${url}/links`)).body.data).toMatchObject([{ status: 'active' }, { status: 'active' }]);

    expect((await user.patch(partnerUrl, { status: 'active' })).body).toEqual({ data: before.data[0] });
    expect(await Promise.all(links.map(clickStatus))).toEqual([200, 200]);
    expect((await sell(brand, 'u1')).status).toBe(200);
  });

  it('affects only this partner in this program', async () => {
    const { brand, user, partnerUrl } = await ownedBrand();
    const ben = await anotherPartner(world, brand, 'Ben');
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'fixed', commission_rate: 1 };
    const other = `/programs/${(await user.post('/programs', settings)).body.data.id}`;
    await user.post(`${other}/partners`, brand.partner);
    const { body: link } = await user.post(`${other}/links`, { partner_id: brand.partner.id });
    await user.patch(partnerUrl, { status: 'removed' });
    expect(await clickStatus(ben.affiliateUrl)).toBe(200);
    expect(await clickStatus(link.data.url)).toBe(200);
    expect((await user.get(`${other}/partners`)).body.data).toMatchObject([{ id: brand.partner.id, status: 'active' }]);
  });

  it('can be sent again, also by a member', async () => {
    const { brand, workspace, partnerUrl } = await ownedBrand();
    const user = dashboard((await memberOf(world, workspace)).token);
    const answers = [];
    for (const status of ['removed', 'removed', 'active', 'active']) {
      answers.push((await user.patch(partnerUrl, { status })).body.data.status);
    }
    expect(answers).toEqual(['removed', 'removed', 'active', 'active']);
    const program = await findProgram(world.deps().table, brand.program.id);
    expect(program?.removedPartnerIds).toEqual([]);
  });

  it('can remove and restore a partner of a paused program', async () => {
    const { user, url, partnerUrl } = await ownedBrand();
    await user.patch(url, { status: 'paused' });
    expect((await user.patch(partnerUrl, { status: 'removed' })).status).toBe(200);
    expect((await user.patch(partnerUrl, { status: 'active' })).status).toBe(200);
  });

  it('does not switch on a link that the brand switched off separately', async () => {
    const { brand, user, url, partnerUrl } = await ownedBrand();
    await user.patch(`${url}/links/${brand.shortLink}`, { status: 'inactive' });
    for (const status of ['removed', 'active']) await user.patch(partnerUrl, { status });
    expect(await clickStatus(brand.affiliateUrl)).toBe(410);
  });
});

describe('removing and restoring a partner with more links than fit into one transaction', () => {
  it('makes all the links answer 410, and then all work again', { tags: ['deep'] }, async () => {
    const { brand, user, url, partnerUrl } = await ownedBrand();
    const links = [brand.affiliateUrl];
    for (let made = 0; made < 105; made++) {
      links.push((await user.post(`${url}/links`, { partner_id: brand.partner.id })).body.data.url);
    }
    await user.patch(partnerUrl, { status: 'removed' });
    expect(new Set(await Promise.all(links.map(clickStatus)))).toEqual(new Set([410]));
    await user.patch(partnerUrl, { status: 'active' });
    expect(new Set(await Promise.all(links.map(clickStatus)))).toEqual(new Set([200]));
  });
});

describe('parallel requests that change partners', () => {
  it('remove each of several partners, and no removal is lost', async () => {
    const { brand, user, url } = await ownedBrand();
    const partners = [
      brand,
      ...(await Promise.all(['Ben', 'Cid', 'Dan'].map((name) => anotherPartner(world, brand, name)))),
    ];
    await Promise.all(
      partners.map(({ partner }) => user.patch(`${url}/partners/${partner.id}`, { status: 'removed' })),
    );
    const program = await findProgram(world.deps().table, brand.program.id);
    expect(new Set(program?.removedPartnerIds)).toEqual(new Set(partners.map(({ partner }) => partner.id)));
    expect(await Promise.all(partners.map(({ affiliateUrl }) => clickStatus(affiliateUrl)))).toEqual([
      410, 410, 410, 410,
    ]);
  });

  it('never leave a working link of a removed partner: a link created during the removal is refused or answers 410', async () => {
    for (let round = 0; round < 5; round++) {
      const { brand, user, url, partnerUrl } = await ownedBrand();
      const make = () => user.post(`${url}/links`, { partner_id: brand.partner.id });
      const [, ...replies] = await Promise.all([user.patch(partnerUrl, { status: 'removed' }), make(), make()]);
      expect([200, 409]).toEqual(expect.arrayContaining(replies.map(({ status }) => status)));
      const made = replies.filter(({ status }) => status === 200);
      const clicks = await Promise.all(made.map(({ body }) => clickStatus(body.data.url)));
      expect(clicks).toEqual(made.map(() => 410));
    }
  });
});
