import { describe, expect, it } from 'vitest';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { everyPage, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const codesOf = (brand: OwnedBrand) => `${brand.path}/codes`;
const save10 = (brand: OwnedBrand, more: object = {}) => ({ partner_id: brand.partner.id, code: 'SAVE10', ...more });
const create = (brand: OwnedBrand, more: object = {}) => brand.owner.post(codesOf(brand), save10(brand, more));
const shown = (brand: OwnedBrand, more: object = {}) => ({
  code: 'SAVE10',
  partner_id: brand.partner.id,
  partner_name: 'Ana',
  status: 'active',
  processor_code_id: null,
  discount: null,
  redemptions: 0,
  sales: 0,
  created_at: NOW.toISOString(),
  ...more,
});

describe('POST /programs/{id}/codes', () => {
  it('gives a partner a coupon code, and keeps upper and lower case as sent', async () => {
    const brand = await ownedBrand(world);
    const id = brand.program.id;
    expect(await create(brand, { code: 'Save_10-x', processor_code_id: 'promo_1AbC' })).toEqual(
      dataReply(shown(brand, { code: 'Save_10-x', processor_code_id: 'promo_1AbC' })),
    );
    expect(await world.items(`CODE#${id}#save_10-x`)).toEqual([
      {
        pk: `CODE#${id}#save_10-x`,
        sk: `CODE#${id}#save_10-x`,
        gsi1pk: `PROGRAM#${id}#CODES`,
        gsi1sk: `${NOW.toISOString()}#save_10-x`,
        gsi2pk: `PARTNER#${id}#${brand.partner.id}#CODES`,
        gsi2sk: `${NOW.toISOString()}#save_10-x`,
        code: 'Save_10-x',
        programId: id,
        partnerId: brand.partner.id,
        status: 'active',
        processorCodeId: 'promo_1AbC',
        createdAt: NOW.toISOString(),
      },
    ]);
    expect(await world.items(`PROCESSOR_CODE#${id}#promo_1AbC`)).toMatchObject([{ code: 'Save_10-x' }]);
  });

  it('accepts the partner’s id as a string, and also succeeds for a member', async () => {
    const brand = await ownedBrand(world);
    const { workspace } = await ownerOfBrand(world, brand);
    const member = dashboard((await memberOf(world, workspace)).token);
    const { body } = await member.post(codesOf(brand), save10(brand, { partner_id: String(brand.partner.id) }));
    expect(body).toEqual({ data: shown(brand) });
  });

  it.each([
    [{ partner_id: undefined }, 'Missing required fields: partner_id, code'],
    [{ code: null }, 'Missing required fields: partner_id, code'],
    ...['', 'ab', 'x'.repeat(65), 'ümlaut', ' SAVE10 ', 7].map((code) => [
      { code },
      'code must be 3 to 64 letters, digits, - or _',
    ]),
    ...['', 'PROMO_1', 'promo_', 'promo_a#b', 7].map((id) => [
      { processor_code_id: id },
      'processor_code_id must start with promo_',
    ]),
    [{ code: 'no', processor_code_id: 'no' }, 'code must be 3 to 64 letters, digits, - or _'],
  ] as [object, string][])('is answered 400 for the body %j', async (more, message) => {
    const brand = await ownedBrand(world);
    expect((await create(brand, more)).body).toEqual(platformError(400, message));
  });

  it('is answered 404 “Partner not found” for an unknown partner and for another program’s partner', async () => {
    const [brand, other] = [await ownedBrand(world), await world.brand()];
    for (const id of [999_999, 'x', 0, other.partner.id]) {
      expect((await create(brand, { partner_id: id })).body).toEqual(platformError(404, 'Partner not found'));
    }
  });

  it('is answered 409 “This code is already in use” in upper or lower case, even for the same partner or a disabled code', async () => {
    const brand = await ownedBrand(world);
    const ben = await anotherPartner(world, brand, 'Ben');
    await create(brand);
    await brand.owner.patch(`${codesOf(brand)}/SAVE10`, { status: 'disabled' });
    for (const more of [{}, { code: 'save10' }, { partner_id: ben.partner.id, code: 'Save10' }]) {
      expect((await create(brand, more)).body).toEqual(platformError(409, 'This code is already in use'));
    }
    expect((await brand.owner.get(codesOf(brand))).body.data).toHaveLength(1);
  });

  it('allows two programs to use the same code and the same Stripe promotion code', async () => {
    const [brand, other] = [await ownedBrand(world), await ownedBrand(world)];
    await create(brand, { processor_code_id: 'promo_1' });
    expect((await create(other, { processor_code_id: 'promo_1' })).status).toBe(200);
  });

  it('is answered 409 “This processor code is already in use” if another code has the same Stripe promotion code', async () => {
    const brand = await ownedBrand(world);
    await create(brand, { processor_code_id: 'promo_1' });
    const other = { code: 'OTHER', processor_code_id: 'promo_1' };
    expect((await create(brand, other)).body).toEqual(platformError(409, 'This processor code is already in use'));
    expect((await create(brand, { code: 'OTHER' })).status).toBe(200);
  });

  it('is answered 409 for a removed partner, before the code is checked', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    await brand.owner.patch(`${brand.path}/partners/${brand.partner.id}`, { status: 'removed' });
    expect((await create(brand)).body).toEqual(
      platformError(409, 'No partner-program relationship found for this partner'),
    );
  });

  it('is answered 409 “Program is paused”, after the code is checked', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    await brand.owner.patch(brand.path, { status: 'paused' });
    expect((await create(brand)).body).toEqual(platformError(409, 'This code is already in use'));
    expect((await create(brand, { code: 'OTHER' })).body).toEqual(platformError(409, 'Program is paused'));
  });

  it('gives a code to only one of two partners if their requests are parallel', async () => {
    const brand = await ownedBrand(world);
    const ben = await anotherPartner(world, brand, 'Ben');
    const replies = await Promise.all(
      [brand, ben].flatMap(({ partner }) =>
        ['RACED', 'raced', 'Raced'].map((code) => create(brand, { partner_id: partner.id, code })),
      ),
    );
    const [made, ...more] = replies.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await brand.owner.get(codesOf(brand))).body.data).toEqual([made?.body.data]);
  });

  it('gives a Stripe promotion code to only one code if several requests are parallel', async () => {
    const brand = await ownedBrand(world);
    const names = ['ONE', 'TWO', 'THREE', 'FOUR'];
    const replies = await Promise.all(names.map((code) => create(brand, { code, processor_code_id: 'promo_1' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
    const codes = (await brand.owner.get(codesOf(brand))).body.data;
    expect(await world.items(`PROCESSOR_CODE#${brand.program.id}#promo_1`)).toMatchObject([{ code: codes[0].code }]);
  });

  it('creates no code for a partner who is removed in parallel', async () => {
    const brand = await ownedBrand(world);
    const [, made] = await Promise.all([
      changePartner(world.deps(), brand.program, brand.partner.id, { status: 'removed' }),
      create(brand),
    ]);
    expect([200, 409]).toContain(made.status);
    expect(await world.items(`CODE#${brand.program.id}#save10`)).toHaveLength(made.status === 200 ? 1 : 0);
  });
});

describe('GET /programs/{id}/codes', () => {
  it('lists the codes of the program or of one partner, oldest first', async () => {
    const brand = await ownedBrand(world);
    const ben = await anotherPartner(world, brand, 'Ben');
    const wanted = { partner_id: ben.partner.id, code: 'ben' };
    await brand.owner.post(codesOf(brand), wanted, { at: new Date(+NOW - 1) });
    await create(brand);
    await create(await ownedBrand(world));
    const names = async (query = '') =>
      (await everyPage(brand.owner, `${codesOf(brand)}${query}`)).map((page) => page.map(({ code }) => code));
    expect(await names()).toEqual([['ben', 'SAVE10']]);
    expect(await names('?limit=1')).toEqual([['ben'], ['SAVE10']]);
    expect(await names(`?partner_id=${ben.partner.id}`)).toEqual([['ben']]);
    for (const nobody of ['999999', 'x', '']) expect(await names(`?partner_id=${nobody}`)).toEqual([[]]);
  });
});

describe('PATCH /programs/{id}/codes/{code}', () => {
  it('disables and enables a code whose name in the path can be in upper or lower case', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    expect(await brand.owner.patch(`${codesOf(brand)}/sAVE10`, { status: 'disabled' })).toEqual(
      dataReply(shown(brand, { status: 'disabled' }), 2),
    );
    expect((await brand.owner.get(codesOf(brand))).body.data).toEqual([shown(brand, { status: 'disabled' })]);
    expect((await brand.owner.patch(`${codesOf(brand)}/SAVE10`, { status: 'active' })).body.data).toEqual(shown(brand));
  });

  it('sets and replaces the Stripe promotion code, and another code can then use the former one', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    await create(brand, { code: 'OTHER' });
    const name = (code: string, id: string) =>
      brand.owner.patch(`${codesOf(brand)}/${code}`, { processor_code_id: id });
    expect((await name('SAVE10', 'promo_1')).body.data).toEqual(shown(brand, { processor_code_id: 'promo_1' }));
    expect((await name('SAVE10', 'promo_1')).status).toBe(200);
    expect((await name('OTHER', 'promo_1')).body).toEqual(platformError(409, 'This processor code is already in use'));
    expect((await name('SAVE10', 'promo_2')).status).toBe(200);
    expect((await name('OTHER', 'promo_1')).status).toBe(200);
    const claims = ['promo_1', 'promo_2'].map((id) => world.items(`PROCESSOR_CODE#${brand.program.id}#${id}`));
    expect((await Promise.all(claims)).flat()).toMatchObject([{ code: 'OTHER' }, { code: 'SAVE10' }]);
  });

  it('stores one Stripe promotion code if several are set in parallel', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    const ids = ['promo_1', 'promo_2', 'promo_3'];
    const replies = await Promise.all(
      ids.map((id) => brand.owner.patch(`${codesOf(brand)}/SAVE10`, { processor_code_id: id })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [code] = await world.items(`CODE#${brand.program.id}#save10`);
    const claims = await Promise.all(ids.map((id) => world.items(`PROCESSOR_CODE#${brand.program.id}#${id}`)));
    await expectNothingHalfWritten(world);
    expect(claims.flat()).toMatchObject([
      { pk: `PROCESSOR_CODE#${brand.program.id}#${String(code?.processorCodeId)}` },
    ]);
  });

  it('changes the status and the Stripe promotion code in one request', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    const both = { status: 'disabled', processor_code_id: 'promo_1' };
    expect((await brand.owner.patch(`${codesOf(brand)}/SAVE10`, both)).body.data).toEqual(shown(brand, both));
  });

  it('sets, replaces and removes the description of a discount, and the audit list shows it', async () => {
    const brand = await ownedBrand(world);
    expect((await create(brand, { discount: ' 10% off ' })).body.data).toEqual(shown(brand, { discount: '10% off' }));
    const change = async (discount: unknown) =>
      (await brand.owner.patch(`${codesOf(brand)}/SAVE10`, { discount })).body.data?.discount;
    expect(await change('20% off')).toBe('20% off');
    expect(await change(null)).toBeNull();
    expect(await change('€'.repeat(100))).toBe('€'.repeat(100));
    expect(await change('  ')).toBeNull();
    const [item] = await world.items(`CODE#${brand.program.id}#save10`);
    expect(item).not.toHaveProperty('discount');
    const { data } = (await brand.owner.get('/workspace/audit?target_type=code')).body;
    expect(data.find(({ action }: { action: string }) => action === 'code.created')).toMatchObject({
      changes: { discount: { from: null, to: '10% off' } },
    });
    expect(data).toHaveLength(5);
  });

  it('stores the discount, the status and the Stripe promotion code if three requests set them in parallel', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    const patch = (body: object) => brand.owner.patch(`${codesOf(brand)}/SAVE10`, body);
    await Promise.all([
      patch({ discount: 'A' }),
      patch({ status: 'disabled' }),
      patch({ processor_code_id: 'promo_1' }),
    ]);
    expect((await brand.owner.get(codesOf(brand))).body.data).toEqual([
      shown(brand, { discount: 'A', status: 'disabled', processor_code_id: 'promo_1' }),
    ]);
  });

  it.each(['x'.repeat(101), 7, ['a']])('is answered 400 for the discount %j, as POST is', async (discount) => {
    const brand = await ownedBrand(world);
    const message = platformError(400, 'discount must be a string of at most 100 characters');
    expect((await create(brand, { discount })).body).toEqual(message);
    await create(brand);
    expect((await brand.owner.patch(`${codesOf(brand)}/SAVE10`, { discount })).body).toEqual(message);
  });

  it.each([
    [{}, 'Missing required fields: status'],
    [{ status: null, processor_code_id: null }, 'Missing required fields: status'],
    [{ status: 'off' }, 'Invalid status: off. Valid: active, disabled'],
    [{ processor_code_id: 'x' }, 'processor_code_id must start with promo_'],
  ])('is answered 400 for the body %j', async (change, message) => {
    const brand = await ownedBrand(world);
    await create(brand);
    expect((await brand.owner.patch(`${codesOf(brand)}/SAVE10`, change)).body).toEqual(platformError(400, message));
  });

  it('is answered 404 “Code not found” for another program’s code and for an invalid name', async () => {
    const [brand, other] = [await ownedBrand(world), await ownedBrand(world)];
    await create(other);
    for (const code of ['SAVE10', 'x', 'a%20b', 'x'.repeat(3000)]) {
      const { body } = await brand.owner.patch(`${codesOf(brand)}/${code}`, { status: 'disabled' });
      expect(body).toEqual(platformError(404, 'Code not found'));
    }
  });
});

describe('the search in the dashboard', () => {
  it('finds a code, written in upper or lower case, with its partner', async () => {
    const brand = await ownedBrand(world);
    await create(brand);
    const found = async (text: string) => (await brand.owner.get(`${brand.path}/search?q=${text}`)).body.data;
    expect(await found('save10')).toEqual([{ kind: 'code', id: 'SAVE10', label: 'SAVE10', detail: 'Code of Ana' }]);
    await brand.owner.patch(`${codesOf(brand)}/SAVE10`, { status: 'disabled' });
    expect(await found('SAVE10')).toMatchObject([{ detail: 'Disabled code of Ana' }]);
    expect(await found('SAVE1')).toMatchObject([{ kind: 'code', id: 'SAVE10' }]);
    expect(await found('AVE10')).toEqual([]);
  });
});
