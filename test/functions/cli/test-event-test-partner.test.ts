import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError, refusal } from '#test/support/servers/errors.ts';
import { runChain } from '#test/support/programs/integration.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests that the partner, link and customers of verification runs appear in no list and match no real lookup.

const world = openedWorld();
let own: Brand;
let other: Brand;
let clickId: string;
let customerKey: string;
let partnerId: number;
beforeAll(async () => {
  [own, other] = [await world.brand(), await world.brand()];
  customerKey = (await runChain(own.key)).body.data.customer_key;
  const items = await allItems(world);
  const customer = items.find((item) => item.sk === 'CUSTOMER' && item.programId === own.program.id);
  clickId = customer?.clickId as string;
  partnerId = customer?.partnerId as number;
});

let sales = 0;
const payment = (body: object) => ({ transaction_id: `real_${++sales}`, amount_cents: 4900, ...body });

describe('a program with a test partner, to whom verification runs attribute their test events,', () => {
  it('lists its other partners and links, but not the test partner', async () => {
    const user = dashboard((await ownerOfBrand(world, own)).token);
    const path = `/programs/${own.program.id}`;
    const { body: partners } = await user.get(`${path}/partners`);
    expect(partners).toMatchObject({ data: [{ id: own.partner.id }], meta: { next_cursor: null } });
    expect(partners.data).toHaveLength(1);
    for (const query of ['', `?partner_id=${partnerId}`]) {
      const { body: links } = await user.get(`${path}/links${query}`);
      expect(links.data.map((link: { short_link: string }) => link.short_link)).toEqual(query ? [] : [own.shortLink]);
    }
  });

  it('gives an owner no access to the test partner: every request for it answers 404', async () => {
    const user = dashboard((await ownerOfBrand(world, own)).token);
    const path = `/programs/${own.program.id}`;
    expect(await user.patch(`${path}/partners/${partnerId}`, { status: 'removed' })).toMatchObject(
      refusal(404, 'Partner not found'),
    );
    expect(await user.post(`${path}/links`, { partner_id: partnerId })).toMatchObject(
      refusal(404, 'Partner not found'),
    );
  });

  it('refuses to create a link with the test partner’s short link, because it is already taken', async () => {
    const user = dashboard((await ownerOfBrand(world, other)).token);
    const body = { partner_id: other.partner.id, short_link: `afftest${other.program.id}` };
    expect(await user.post(`/programs/${other.program.id}/links`, body)).toMatchObject(
      refusal(409, 'short_link is already taken'),
    );
    expect((await runChain(other.key)).body.data.attributed).toBe(true);
  });
});

describe('a real click', () => {
  it('through the test partner’s link is refused with “Referral link not found”', async () => {
    const affiliate_url = `https://${own.program.domain}/?aff=afftest${own.program.id}`;
    const reply = await send(click, { body: { affiliate_url } });
    expect(reply).toMatchObject(refusal(400, 'Referral link not found'));
  });

  it('that sends the click id of a verification run gets a new click id, and that run’s customer stays unchanged', async () => {
    const before = await world.items(`CUSTOMER#${clickId}`);
    const body = { affiliate_url: own.affiliateUrl, existing_click_id: clickId };
    const reply = await send(click, { body });
    expect(reply.status).toBe(200);
    expect(reply.body.click_id).not.toBe(clickId);
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
  });
});

describe('a real lead', () => {
  const notFound = 'Customer not found. Provide a valid click_id or customer_key.';

  it.each([
    ['own', 'click_id'],
    ['own', 'customer_key'],
    ['other', 'click_id'],
    ['other', 'customer_key'],
  ])(
    'with the key of the %s program and the %s of a verification run is refused, because no customer matches',
    async (whose, field) => {
      const { key } = whose === 'own' ? own : other;
      const reply = await send(lead, { key, body: { [field]: field === 'click_id' ? clickId : customerKey } });
      expect(reply).toMatchObject(refusal(400, notFound));
    },
  );

  it.each(['click_id', 'customer_key'])(
    'from a browser with the %s of a verification run is refused, because no customer matches',
    async (field) => {
      const value = field === 'click_id' ? clickId : customerKey;
      for (const program of [undefined, own.program.id]) {
        const reply = await send(lead, { body: { [field]: value, program_id: program } });
        expect(reply).toMatchObject(refusal(400, notFound));
      }
    },
  );

  it('can give its own customer the customer key that a verification run used', async () => {
    const real = await clicked(own);
    const reply = await send(lead, { key: own.key, body: { click_id: real, customer_key: customerKey } });
    expect(reply.status).toBe(200);
    const sold = await send(sale, { key: own.key, body: payment({ customer_key: customerKey }) });
    expect(sold.body.attributed).toBe(true);
    expect(await world.items(`KEY#${customerKey}`)).toMatchObject([{ clickId: real, partnerId: own.partner.id }]);
    await expectNothingHalfWritten(world);
  });
});

describe('a real sale', () => {
  const notFound = codedError(400, 'no_attribution', 'Customer not found. Provide customer_key or click_id.');

  it.each(['own', 'other'])(
    'with the key of the %s program and the identifiers of a verification run matches no customer',
    async (whose) => {
      const { key } = whose === 'own' ? own : other;
      const { body: chain } = await runChain(own.key);
      const theirs = (await allItems(world)).find(
        (item) => item.sk === 'CUSTOMER' && item.customerKey === chain.data.customer_key,
      );
      const byClick = await send(sale, { key, body: payment({ click_id: theirs?.clickId }) });
      expect(byClick.body).toEqual({ ...notFound, warnings: [warned('test_click')] });
      const byKey = await send(sale, { key, body: payment({ customer_key: chain.data.customer_key }) });
      expect(byKey.body).toEqual(notFound);
    },
  );

  it('with a real click id can give that customer the customer key that a verification run used', async () => {
    const { body: chain } = await runChain(own.key);
    const real = await clicked(own);
    const body = payment({ click_id: real, customer_key: chain.data.customer_key });
    expect((await send(sale, { key: own.key, body })).body.attributed).toBe(true);
    await expectNothingHalfWritten(world);
  });

  it('for a known customer is attributed to that customer’s partner, even with the click id of a verification run', async () => {
    await signedUp(own, 'known');
    const body = payment({ customer_key: 'known', click_id: clickId });
    const { status } = await send(sale, { key: own.key, body });
    expect(status).toBe(200);
    expect((await world.items(`SALE#${body.transaction_id}`)).find(({ sk }) => sk === 'SALE')).toMatchObject({
      attribution: { partnerId: own.partner.id },
    });
  });

  it('with the transaction id of a verification run answers 409, because test and real sales share one set of ids', async () => {
    const { body: chain } = await runChain(own.key);
    const transaction_id = `test_chain_${chain.data.customer_key}`;
    const [{ id } = { id: 0 }] = await world.items(`SALE#${transaction_id}`);
    const reply = await send(sale, { key: own.key, body: { transaction_id, amount_cents: 1, customer_key: 'known' } });
    expect(reply).toMatchObject({ status: 409, body: { error: { details: { sale_id: id } } } });
    expect((await send(refund, { key: own.key, body: { transaction_id } })).body).toMatchObject({
      status: 'no_commission',
      commission_id: null,
    });
  });
});
