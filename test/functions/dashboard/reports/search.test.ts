import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { partnerWordWrites } from '#lib/service/programs/words/words-items.ts';
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
/** The partners among the results, which may include their first links. */
const partnersFound = async (text: string, by: OwnedBrand) =>
  (await found(text, by)).data.filter(({ kind }: { kind: string }) => kind === 'partner');

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

describe('a search for a whole identifier', () => {
  it('finds a sale, even with spaces around its transaction id', async () => {
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

  it('finds a customer by click id, customer key and e-mail address; the address can be in upper or lower case', async () => {
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

  it('finds a customer whom a sale with a coupon code created', async () => {
    const own = await ownedBrand(world);
    await givenCode(world, own);
    await sold(own, { transaction_id: 'in_by_code', coupon_code: 'save10', customer_key: 'coded' });
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

  it('finds every customer with an e-mail address, even unlinked ones, and no customer by a key that was removed', async () => {
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

  it('finds a partner by e-mail address, and a link by its name', async () => {
    const zoe = await anotherPartner(world, brand, 'Zoe');
    expect(await found('ZOE@partners.test')).toEqual({ data: [partner(zoe)] });
    expect(await found(zoe.shortLink)).toEqual({ data: [link(zoe.shortLink, `https://${brand.program.domain}/`)] });
    expect(await found(zoe.shortLink.toUpperCase())).toEqual(await found(zoe.shortLink));
  });

  it('lists sales, customers and links with that identifier before partners with that name, and each result once', async () => {
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
        link(named.links[0]!, `https://${own.program.domain}/`),
      ],
    });
    const itself = { name: 'own@partners.test', email: 'own@partners.test' };
    const twice = await addPartner(world.deps(), own.program.id, itself);
    expect(await found('own@partners.test', own)).toEqual({
      data: [partner({ partner: twice })],
    });
  });
});

const secondsLater = (seconds: number) => ({ at: new Date(+NOW + 1_000 * seconds) });

/** A new brand for each of many requests, because of the rate limit. */
const asked = () => ownedBrand(world);

describe('a search for the first letters of words in a partner’s name', () => {
  it.each([
    ['Émile', 'émi'],
    ['Émile', 'e\u0301MILE'],
    ['Émile', 'emil'],
    ['Łukasz', 'luk'],
    ['Straße', 'STRASS'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυς'],
    ['王小明', '王小'],
    ['محمد علي', 'محمد'],
    ['😀 Smile', '😀 smi'],
    ['a#b|c%_*', 'A#B|C%_*'],
    ['PROGRAM#1', 'program#1'],
    ['Jane van Doe', 'doe jan'],
    ['Jane', 'jan partners.te'],
  ])('finds the name %s by the text %s', async (name, text) => {
    const own = await asked();
    const email = `partner${own.program.id}@partners.test`;
    const added = await addPartner(world.deps(), own.program.id, { name, email });
    expect(await partnersFound(text, own)).toEqual([partner({ partner: added })]);
  });

  it('lists the newest partners first and removed ones last, and does not match the middle of a word', async () => {
    const own = await asked();
    const [bob, bea] = [await anotherPartner(world, own, 'Bob'), await anotherPartner(world, own, 'Bea')];
    const bud = await addPartner(world.deps(new Date(+NOW + 1_000)), own.program.id, {
      name: 'Bud',
      email: 'bud@partners.test',
    });
    await own.owner.patch(`${own.path}/partners/${bob.partner.id}`, { status: 'removed' });
    expect(await partnersFound('b', own)).toEqual([partner({ partner: bud }), partner(bea), partner(bob)]);
    expect(await found('ea', own)).toEqual(nothing);
    expect(await found('b missing', own)).toEqual(nothing);
  });

  it('finds a partner only in the programs that the partner is in', async () => {
    const own = await asked();
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 1 };
    const { id } = (await own.owner.post('/programs', settings)).body.data;
    const second = { owner: own.owner, path: `/programs/${id}` };
    const zoe = await anotherPartner(world, own, 'Zoe');
    expect((await search('zoe part', second)).body).toEqual(nothing);
    await own.owner.post(`${second.path}/partners`, { name: 'x', email: zoe.partner.email });
    expect((await search('zoe part', second)).body).toEqual({ data: [partner(zoe)] });
  });

  it('lists the 50 newest of 1,005 matches with a bounded number of table calls', async () => {
    const own = await asked();
    const { table } = world.deps();
    const { id, workspaceId } = own.program;
    const people = Array.from({ length: 1_005 }, (_, index) => ({
      id: 1_000_000 + index,
      name: `Crowd ${index}`,
      email: `${index}@crowd.test`,
    }));
    await Promise.all(
      people.map((person) =>
        table.transact([
          {
            name: 'partner',
            key: keys.partner(id, person.id),
            put: { ...person, programId: id, status: 'active', links: [], createdAt: NOW.toISOString() },
          },
          ...partnerWordWrites(workspaceId, person),
        ]),
      ),
    );
    let body;
    const calls = await sentCalls(async () => {
      ({ body } = await search('crowd test', own));
    });
    expect(body).toEqual({
      data: people
        .toReversed()
        .slice(0, 50)
        .map((person) => partner({ partner: person as never })),
    });
    const names = calls.map(({ name }) => name);
    // Two words of partners, links and codes; the newest leads and sales.
    expect(names.filter((name) => name === 'QueryCommand').length).toBeLessThanOrEqual(3 * 2 * 2 + 4);
    expect(names.filter((name) => name === 'BatchGetCommand').length).toBeLessThanOrEqual(3 + 3);
    expect(names).not.toContain('ScanCommand');
  });

  it('finds partners by words in their names, but no links and codes, if a former version of the service stored the program', async () => {
    const own = await asked();
    const zoe = await anotherPartner(world, own, 'Zoe');
    const stored = await world.items(`PARTNER_WORDS#${own.program.workspaceId}#Z`);
    expect(stored).toHaveLength(1);
    const lost = stored.map(({ pk, sk }) => ({ name: 'lost', key: { pk, sk } as never, remove: true as const }));
    await world.deps().table.transact(lost);
    expect(await found('zo', own)).toEqual({ data: [expect.objectContaining({ kind: 'link' })] });
    await world.deps().table.update(keys.program(own.program.id), { set: { listsWords: undefined } });
    expect((await found('zo', own)).data[0]).toEqual(partner(zoe));
  });
});

describe('a search for the first letters of words in the name of a link or code', () => {
  it.each(['SUMMER', 'sale summ', 'summersale', 'summer_sale-2'])('finds a link by %j', async (text) => {
    const own = await asked();
    const shortLink = `Summer-Sale_2${own.program.id}`;
    await own.owner.post(`${own.path}/links`, { partner_id: own.partner.id, short_link: shortLink });
    expect(await found(text, own)).toEqual({ data: [link(shortLink, `https://${own.program.domain}/`)] });
    expect(await found('ummer', own)).toEqual(nothing);
    expect(await found(text, await asked())).toEqual(nothing);
  });

  it('lists partners, then links, then codes, each newest first, and each result once', async () => {
    const own = await asked();
    const name = (what: string) => `spring-${what}-${own.program.id}`;
    const add = async (what: string, seconds: number) => {
      const options = secondsLater(seconds);
      const body = { partner_id: own.partner.id };
      await own.owner.post(`${own.path}/links`, { ...body, short_link: name(what) }, options);
      await own.owner.post(`${own.path}/codes`, { ...body, code: name(what) }, options);
    };
    await add('b', 1);
    await add('a', 2);
    const flora = await addPartner(world.deps(), own.program.id, { name: 'Spring Flora', email: 'f@partners.test' });
    const listed = async (text: string) =>
      (await found(text, own)).data.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
    const [a, b] = [name('a'), name('b')];
    const id = String(flora.id);
    const links = [a, b, flora.links[0]].map((each) => `link ${each}`);
    expect(await listed('spring')).toEqual([`partner ${id}`, ...links, `code ${a}`, `code ${b}`]);
    expect(await listed(b)).toEqual([`link ${b}`, `code ${b}`]);
  });
});

describe('a search for a part of an identifier', () => {
  it('finds recent sales and customers, newest first, regardless of upper and lower case', async () => {
    const own = await asked();
    const clickId = await clicked(own);
    await settledLead(own, { click_id: clickId, customer_key: 'Account-7781' });
    await sold(own, { transaction_id: 'INV-7781-a', customer_key: 'Account-7781' });
    await sold(own, { transaction_id: 'INV-7781-b', customer_key: 'Account-7781' }, secondsLater(1));
    const found7781 = [sale('INV-7781-b'), sale('INV-7781-a'), customer(clickId, 'Account-7781', 'Paying')];
    expect(await found('7781', own)).toEqual({ data: found7781 });
    expect(await found('inv-7781', own)).toEqual({ data: found7781.slice(0, 2) });
    expect(await found('COUNT-77', own)).toEqual({ data: found7781.slice(2) });
    expect(await found('778', own)).toEqual(nothing);
    expect(await found('7781', await asked())).toEqual(nothing);
  });

  it('finds customers who paid without a lead, and no erased customers', async () => {
    const own = await asked();
    const clickId = await clicked(own);
    await sold(own, { transaction_id: `only-${own.program.id}`, click_id: clickId, customer_key: 'erased-person' });
    expect(await found('erased', own)).toEqual({ data: [customer(clickId, 'erased-person', 'Paying')] });
    const { id: programId } = own.program;
    await eraseCustomer(world.deps(), { programId, clickId }, () => Promise.resolve());
    expect(await found('erased', own)).toEqual(nothing);
  });
});

describe('a search finds nothing', () => {
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

  it('for a search text as long as the longest possible customer key', async () => {
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
