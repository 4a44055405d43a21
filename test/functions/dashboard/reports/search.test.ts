import { describe, expect, it } from 'vitest';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { hiddenCharacters } from '#test/support/cases/hidden-characters.ts';
import { anotherPartner, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => ownedBrand(world));

const search = (text: string, { owner, path }: Pick<OwnedBrand, 'owner' | 'path'> = brand) =>
  owner.get(`${path}/search?q=${encodeURIComponent(text)}`);
const found = async (text: string, by?: OwnedBrand) => (await search(text, by)).body;
const nothing = { data: [] };

const partner = ({ partner: { id, name, email } }: Pick<OwnedBrand, 'partner'>) => ({
  kind: 'partner',
  id: String(id),
  label: name,
  detail: email,
});
const customer = (id: string, label: string, status: string) => ({
  kind: 'customer',
  id,
  label,
  detail: `${status}, first click on 2026-11-20`,
});
const sale = (id: string) => ({ kind: 'sale', id, label: id, detail: 'Sale of 49.00 USD on 2026-11-20' });
const link = (id: string, detail: string) => ({ kind: 'link', id, label: id, detail });

describe('a search for an identifier, 200', () => {
  it('finds a sale, ignoring surrounding white space', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: 'in_1', click_id: clickId });
    expect(await search(' in_1\n')).toEqual(dataReply([sale('in_1')]));
    expect(await found('in_')).toEqual(nothing);
  });

  it('finds a test sale', async () => {
    await sold(brand, { transaction_id: 'in_test', additional_data: { test_mode: true } });
    expect(await found('in_test')).toEqual({
      data: [{ ...sale('in_test'), detail: 'Test sale of 49.00 USD on 2026-11-20' }],
    });
  });

  it('finds a customer by click id, customer key and address, in any case of the address', async () => {
    const clickId = await clicked(brand);
    expect(await found(clickId)).toEqual({ data: [customer(clickId, clickId, 'Clicked')] });
    await settledLead(brand, { click_id: clickId, email: 'jo@customers.test' });
    expect(await found(clickId)).toEqual({ data: [customer(clickId, 'j***@customers.test', 'Lead')] });
    await sold(brand, { transaction_id: 'in_2', click_id: clickId, customer_key: 'user#2' });
    for (const text of [clickId, 'user#2', 'jo@customers.test', ' JO@Customers.TEST ']) {
      expect(await found(text)).toEqual({ data: [customer(clickId, 'user#2', 'Paying')] });
    }
    expect(await found('j***@customers.test')).toEqual(nothing);
  });

  it('finds a customer of a coupon code', async () => {
    const own = await ownedBrand(world);
    await givenCode(world, own);
    await sold(own, { transaction_id: 'in_coded', coupon_code: 'save10', customer_key: 'coded' });
    expect(await found('coded', own)).toEqual({
      data: [
        {
          kind: 'customer',
          id: expect.stringMatching(/^clk_/),
          label: 'coded',
          detail: 'Came by code SAVE10 on 2026-11-20',
        },
      ],
    });
  });

  it('finds every customer of an address, also unlinked ones, and none by a former key', async () => {
    const [first, second] = [await clicked(brand), await clicked(brand)];
    await settledLead(brand, { click_id: first, customer_key: 'moved', email: 'two@customers.test' });
    await brand.owner.post(`${brand.path}/customers/${first}/unlink`, { reason: 'Another person' });
    expect(await found('moved')).toEqual(nothing);
    await settledLead(brand, { click_id: second, email: 'two@customers.test' }, { at: new Date(+NOW + 1_000) });
    expect(await found('two@customers.test')).toEqual({
      data: [customer(first, 't***@customers.test', 'Lead'), customer(second, 't***@customers.test', 'Lead')],
    });
    expect(await found(first)).toEqual({ data: [customer(first, 't***@customers.test', 'Lead')] });
  });

  it('finds a partner by e-mail address, and a link by its short link', async () => {
    const zoe = await anotherPartner(world, brand, 'Zoe');
    expect(await found('ZOE@partners.test')).toEqual({ data: [partner(zoe)] });
    expect(await found(zoe.shortLink)).toEqual({ data: [link(zoe.shortLink, `https://${brand.program.domain}/`)] });
    expect(await found(zoe.shortLink.toUpperCase())).toEqual(nothing);
  });

  it('lists identifier matches first, each result once', async () => {
    const own = await ownedBrand(world);
    const same = await anotherPartner(world, own, 'Same');
    const clickId = await clicked(own);
    await sold(own, { transaction_id: same.shortLink, click_id: clickId, customer_key: same.shortLink });
    const named = await addPartner(world.deps(), own.program.id, { name: same.shortLink, email: 'x@partners.test' });
    expect(await found(same.shortLink, own)).toEqual({
      data: [
        sale(same.shortLink),
        customer(clickId, same.shortLink, 'Paying'),
        link(same.shortLink, `https://${own.program.domain}/`),
        partner({ partner: named }),
      ],
    });
    const itself = { name: 'own@partners.test', email: 'own@partners.test' };
    const twice = await addPartner(world.deps(), own.program.id, itself);
    expect(await found('own@partners.test', own)).toEqual({ data: [partner({ partner: twice })] });
  });
});

describe('a search for the beginning of a name, 200', () => {
  it.each([
    ['Émile', 'émi'],
    ['Émile', 'e\u0301MILE'],
    ['Straße', 'STRASS'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυς'],
    ['王小明', '王小'],
    ['محمد علي', 'محمد'],
    ['😀 Smile', '😀'],
    ['a#b|c%_*', 'A#B|C%_*'],
    ['PROGRAM#1', 'program#1'],
  ])('finds the name %s by the text %s', async (name, text) => {
    const own = await ownedBrand(world);
    const email = `partner${own.program.id}@partners.test`;
    const added = await addPartner(world.deps(), own.program.id, { name, email });
    expect(await found(text, own)).toEqual({ data: [partner({ partner: added })] });
  });

  it('lists names in order, removed ones as well, without matches inside a name', async () => {
    const own = await ownedBrand(world);
    const [bob, bea] = [await anotherPartner(world, own, 'Bob'), await anotherPartner(world, own, 'Bea')];
    await own.owner.patch(`${own.path}/partners/${bob.partner.id}`, { status: 'removed' });
    expect(await found('b', own)).toEqual({ data: [partner(bea), partner(bob)] });
    expect(await found('ea', own)).toEqual(nothing);
  });

  it('lists at most 50 of 1,000 matches with one query', async () => {
    const own = await ownedBrand(world);
    const { table } = world.deps();
    const { id } = own.program;
    const numbers = Array.from({ length: 1_000 }, (_, index) => 1_000_000 + index);
    await Promise.all(
      numbers.map((number) =>
        table.put(keys.partner(id, number), {
          id: number,
          programId: id,
          name: `Crowd ${number}`,
          email: `${number}@partners.test`,
          status: 'active',
          links: [],
          createdAt: NOW.toISOString(),
          ...indexKeys.partner(id, NOW.toISOString(), number),
        }),
      ),
    );
    let body;
    const calls = await sentCalls(async () => {
      ({ body } = await search('crowd', own));
    });
    expect(body).toEqual({
      data: numbers.slice(0, 50).map((number) => ({
        kind: 'partner',
        id: String(number),
        label: `Crowd ${number}`,
        detail: `${number}@partners.test`,
      })),
    });
    const names = calls.map(({ name }) => name);
    expect(names.filter((name) => name === 'QueryCommand')).toHaveLength(1);
    expect(names).not.toContain('ScanCommand');
  });
});

/** A new brand for each of many requests, because of the rate limit. */
const asked = () => ownedBrand(world);

describe('a search with no results, 200', () => {
  it('without a search text', async () => {
    const { owner, path } = await asked();
    expect(await owner.get(`${path}/search`)).toEqual({ status: 200, headers: countedHeaders(300), body: nothing });
  });

  const foreign = ['', '\u3000', 'x'.repeat(10_000), '王'.repeat(256), 'SALE#in_1', 'CUSTOMER', '@', '__proto__', '%'];
  it.each([...foreign, ...hiddenCharacters.map((character) => `Ana${character}x`)])(
    'for the search text %j',
    async (text) => {
      expect(await found(text, await asked())).toEqual(nothing);
    },
  );

  it('for a search text of the maximum key length', async () => {
    expect(await found('王'.repeat(255))).toEqual(nothing);
  });

  it.each(['click', 'key', 'address', 'sale', 'partner', 'link'])('for the %s of another program', async (what) => {
    const other = await ownedBrand(world);
    const clickId = await clicked(other);
    const { id } = other.program;
    const { email } = (await anotherPartner(world, other, `Partner${id}`)).partner;
    const texts: Record<string, string> = {
      click: clickId,
      key: `key-${id}`,
      address: `c${id}@customers.test`,
      sale: `tx-${id}`,
      partner: email,
      link: other.shortLink,
    };
    await settledLead(other, { click_id: clickId, customer_key: texts.key, email: texts.address });
    await sold(other, { transaction_id: texts.sale, click_id: clickId });
    const text = texts[what]!;
    expect((await found(text, other)).data).toHaveLength(1);
    expect(await found(text, await asked())).toEqual(nothing);
  });
});
