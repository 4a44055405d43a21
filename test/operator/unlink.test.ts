import { beforeEach, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, settledLead, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const without = (item: Record<string, unknown> | undefined, ...names: string[]) =>
  Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => !names.includes(name)));
const unlinkLink = (shortLink: string) => operated(world, `link unlink --short-link ${shortLink}`);
const unlinkCustomer = (clickId: string) => operated(world, `customer unlink --click-id ${clickId}`);
const said = async (command: string) => (await operator(world, command)).out;
const visit = () => send(click, { body: { affiliate_url: brand.affiliateUrl } });
const buy = (id: string, body: object) =>
  send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, ...body } });

const linkItem = async () => (await world.items(`LINK#${brand.shortLink}`))[0];
const partnerItem = async () =>
  (await world.items(`PROGRAM#${brand.program.id}`)).find(({ sk }) => sk === `PARTNER#${brand.partner.id}`);

describe('the operator’s command `link unlink`', () => {
  it('removes the partner from the link, whose clicks are then answered 400', async () => {
    const second = `second-${brand.shortLink}`;
    await createLink(world.deps(), brand.program.id, { partnerId: brand.partner.id, shortLink: second });
    const [link, partner] = [await linkItem(), await partnerItem()];
    expect(await unlinkLink(brand.shortLink)).toEqual({ short_link: brand.shortLink, partner_id: null });
    expect(await linkItem()).toEqual(without(link, 'partnerId'));
    expect(await partnerItem()).toEqual({ ...partner, links: [second] });
    const { status, body } = await visit();
    expect([status, body]).toEqual([400, platformError(400, 'Invalid referral link configuration')]);
  });

  it('does not change the customers whom the link has brought', async () => {
    const clickId = await clicked(brand);
    await unlinkLink(brand.shortLink);
    const id = `before ${brand.shortLink}`;
    expect((await buy(id, { click_id: clickId })).status).toBe(200);
    expect((await saleItems(world, id)).commission).toMatchObject({ partnerId: brand.partner.id });
  });

  it('changes nothing when it is repeated', async () => {
    await unlinkLink(brand.shortLink);
    const before = [await linkItem(), await partnerItem()];
    expect(await unlinkLink(brand.shortLink)).toEqual({ short_link: brand.shortLink, partner_id: null });
    expect([await linkItem(), await partnerItem()]).toEqual(before);
  });

  it('does not lose a link that the partner creates in parallel', async () => {
    const { id } = brand.program;
    const late = `late-${brand.shortLink}`;
    const overtaken = overtakenBy(() => createLink(world.deps(), id, { partnerId: brand.partner.id, shortLink: late }));
    await failing('write', overtaken, () => unlinkLink(brand.shortLink));
    expect(await partnerItem()).toMatchObject({ links: [late] });
  });

  it.each(['nobody-has-it', 'not a short link', '..'])('fails for the link name %s', async (name) => {
    expect(await refusedWith(world, ['link', 'unlink', '--short-link', name])).toBe('Link not found');
  });
});

describe('the operator’s command `customer unlink`', () => {
  const partnerMissing = codedError(400, 'no_attribution', 'partnerId required to create commission');

  it('removes the partner from the customer’s item and from the item of the customer key', async () => {
    const clickId = await signedUp(brand, 'unlinked');
    const before = [await world.items(`CUSTOMER#${clickId}`), await world.items('KEY#unlinked')];
    const customer = before[0]!.find(({ sk }) => sk === 'CUSTOMER');
    expect(await unlinkCustomer(clickId)).toEqual({ click_id: clickId, partner_id: null });
    const after = await world.items(`CUSTOMER#${clickId}`);
    expect(after.find(({ sk }) => sk === 'CUSTOMER')).toEqual(without(without(customer, 'partnerId'), 'gsi2pk'));
    expect(after.filter(({ sk }) => sk !== 'CUSTOMER')).toEqual(before[0]!.filter(({ sk }) => sk !== 'CUSTOMER'));
    expect(await world.items('KEY#unlinked')).toEqual([without(before[1]![0], 'partnerId')]);
  });

  it.each([
    ['click_id', (clickId: string) => ({ click_id: clickId })],
    ['customer_key', (_: string, key: string) => ({ customer_key: key })],
  ])('makes a sale with the customer’s %s fail, because the customer has no partner', async (name, sent) => {
    const key = `${name}-of-${brand.program.id}`;
    const clickId = await signedUp(brand, key);
    await unlinkCustomer(clickId);
    const { status, body } = await buy(`sale by ${name}`, sent(clickId, key));
    expect([status, body]).toEqual([400, partnerMissing]);
    const { sale: stored, commission } = await saleItems(world, `sale by ${name}`);
    expect([stored.commissionState, commission]).toEqual(['noPartner', undefined]);
  });

  it('can be repeated, and works for a customer without a key', async () => {
    const clickId = await clicked(brand);
    await unlinkCustomer(clickId);
    const before = await world.items(`CUSTOMER#${clickId}`);
    expect(before).toEqual([expect.not.objectContaining({ partnerId: expect.anything() })]);
    expect(await unlinkCustomer(clickId)).toEqual({ click_id: clickId, partner_id: null });
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
  });

  it('keeps the customer without a partner even if the customer gets a customer key later', async () => {
    const clickId = await clicked(brand);
    await unlinkCustomer(clickId);
    const key = `later-${brand.program.id}`;
    await settledLead(brand, { click_id: clickId, customer_key: key });
    expect((await buy(`sale ${key}`, { customer_key: key })).body).toEqual(partnerMissing);
  });

  it('does not change sales that the former partner has already earned', async () => {
    const key = `bought-${brand.program.id}`;
    const clickId = await signedUp(brand, key);
    await sold(brand, { transaction_id: key, customer_key: key });
    const before = await saleItems(world, key);
    await unlinkCustomer(clickId);
    expect(await saleItems(world, key)).toEqual(before);
  });

  describe('leaves the items of the customer and of the customer key consistent if the key is stored', () => {
    const binds = {
      lead: (body: object) => send(lead, { key: brand.key, body }),
      sale: (body: object) => buy(`binding ${JSON.stringify(body)}`, body),
    };
    const cases = Object.keys(binds).map((name) => [name as keyof typeof binds] as const);

    async function raced(name: keyof typeof binds) {
      const body = { click_id: await clicked(brand), customer_key: `${name}-raced-${brand.program.id}` };
      const itemsNow = async () => [
        ...(await world.items(`CUSTOMER#${body.click_id}`)).filter(({ sk }) => sk === 'CUSTOMER'),
        ...(await world.items(`KEY#${body.customer_key}`)),
      ];
      return { bind: () => binds[name](body), unlink: () => unlinkCustomer(body.click_id), itemsNow };
    }

    it.each(cases)('by a %s that is written after the command', async (name) => {
      const { bind, unlink, itemsNow } = await raced(name);
      const reply = await failing('write', overtakenBy(unlink), bind);
      expect(reply.status).toBe(name === 'lead' ? 200 : 400);
      // A sale without a partner leaves the customer unchanged.
      expect(await itemsNow()).toHaveLength(name === 'lead' ? 2 : 1);
      for (const item of await itemsNow()) expect(item).not.toHaveProperty('partnerId');
    });

    it.each(cases)('by a %s that is written between the command’s reads and its write', async (name) => {
      const { bind, unlink, itemsNow } = await raced(name);
      await failing('write', overtakenBy(bind), unlink);
      expect(await itemsNow()).toHaveLength(2);
      for (const item of await itemsNow()) expect(item).not.toHaveProperty('partnerId');
      await expectNothingHalfWritten(world);
    });
  });

  it.each(['clk_nobody', 'nothing'])('fails for the click id %s', async (clickId) => {
    expect(await refusedWith(world, `customer unlink --click-id ${clickId}`)).toBe('Customer not found');
  });
});

it('`link unlink` and `customer unlink` print the same result as text and as JSON', async () => {
  const clickId = await clicked(brand);
  expect(await said(`link unlink --short-link ${brand.shortLink}`)).toEqual([
    `Link ${brand.shortLink} has no partner.`,
  ]);
  expect(await said(`customer unlink --click-id ${clickId}`)).toEqual([`Customer ${clickId} has no partner.`]);
});
