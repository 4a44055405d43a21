import { beforeAll, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let other: Brand;
let open: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  other = await world.brand();
  open = await world.brand({ leadAuth: 'browser_allowed' });
});

const SETTLED = 'Lead tracked successfully';
const ALREADY_LEAD = 'Customer status cannot be updated to lead. Current status: lead';
const NOT_FOUND = 'Customer not found. Provide a valid click_id or customer_key.';
const NOT_IN_PROGRAM = 'Customer does not belong to this program';
const MISSING = 'click_id or customer_key is required';

/** The reply's message, which shows whose customer was found. */
async function answer(body: object, key?: string): Promise<string> {
  const reply = await send(lead, { key, body });
  return reply.body.message ?? reply.body.error.message;
}

const statusOf = async (clickId: string) =>
  (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'CUSTOMER')?.status;

const boundTo = async (customerKey: string) => (await world.items(`KEY#${customerKey}`)).map(({ clickId }) => clickId);

describe('a lead whose customer_key and click_id belong to different customers', () => {
  it('makes the key’s customer a lead and does not change the click’s customer', async () => {
    await signedUp(brand, 'first');
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, customer_key: 'first' }, brand.key)).toBe(ALREADY_LEAD);
    expect(await statusOf(clickId)).toBe('click');
  });
});

describe('a lead sent with the program key', () => {
  it('gets different errors for another program’s customer and for an unknown one, by click id and by key', async () => {
    await signedUp(other, 'theirs');
    const theirClick = await clicked(other);
    expect(await answer({ click_id: theirClick }, brand.key)).toBe(NOT_IN_PROGRAM);
    expect(await answer({ customer_key: 'theirs' }, brand.key)).toBe(NOT_IN_PROGRAM);
    expect(await answer({ click_id: 'clk_unknown', customer_key: 'theirs' }, brand.key)).toBe(NOT_IN_PROGRAM);
    expect(await answer({ click_id: 'clk_unknown', customer_key: 'nobody' }, brand.key)).toBe(NOT_FOUND);
    expect(await statusOf(theirClick)).toBe('click');
  });

  it('finds the program’s own customer by key, even if the click id belongs to another program’s customer', async () => {
    await signedUp(brand, 'ours by key');
    const theirClick = await clicked(other);
    expect(await answer({ click_id: theirClick, customer_key: 'ours by key' }, brand.key)).toBe(ALREADY_LEAD);
  });

  it('finds the program’s own customer by click id, even if the key belongs to another program’s customer', async () => {
    const theirClick = await signedUp(other, 'shared');
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, customer_key: 'shared' }, brand.key)).toBe(SETTLED);
    expect(new Set(await boundTo('shared'))).toEqual(new Set([clickId, theirClick]));
  });

  it('ignores program_id in the body', async () => {
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, program_id: other.program.id }, brand.key)).toBe(SETTLED);
  });
});

describe('a lead sent by a browser, without a program key,', () => {
  it('belongs to the program of its click id, even if program_id or the customer key belongs to another program', async () => {
    await signedUp(other, 'key elsewhere');
    const clickId = await clicked(open);
    const body = { click_id: clickId, customer_key: 'key elsewhere', program_id: other.program.id };
    expect(await answer(body)).toBe(SETTLED);
    expect(await boundTo('key elsewhere')).toContain(clickId);
  });

  it.each<[string, (id: number) => unknown]>([
    ['a number', (id) => id],
    ['text', (id) => String(id)],
  ])(
    'belongs to the program in program_id, sent as %s, if several programs have its customer key',
    async (spelling, spelled) => {
      const customerKey = `in two programs, ${spelling}`;
      await signedUp(other, customerKey);
      await signedUp(open, customerKey);
      expect(await answer({ customer_key: customerKey, program_id: spelled(open.program.id) })).toBe(ALREADY_LEAD);
      expect(await answer({ customer_key: customerKey, program_id: spelled(brand.program.id) })).toBe(NOT_FOUND);
      expect(await answer({ customer_key: customerKey, program_id: spelled(999_999) })).toBe(NOT_FOUND);
    },
  );

  it('finds a customer by the customer key alone if only one program has that key', async () => {
    await signedUp(open, 'once');
    expect(await answer({ customer_key: 'once' })).toBe(ALREADY_LEAD);
    expect(await answer({ customer_key: 'once', click_id: 'clk_unknown' })).toBe(ALREADY_LEAD);
    await signedUp(other, 'once');
    expect(await answer({ customer_key: 'once' })).toBe(NOT_FOUND);
  });

  it('does not reveal whether another program has the customer', async () => {
    await signedUp(other, 'only theirs');
    expect(await answer({ customer_key: 'only theirs', program_id: open.program.id })).toBe(NOT_FOUND);
  });
});

describe('the customer_key and click_id of a lead', () => {
  it('match the same customer as a number and as a string', async () => {
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, customer_key: 4_200 }, brand.key)).toBe(SETTLED);
    expect(await boundTo('4200')).toEqual([clickId]);
    expect(await answer({ customer_key: '4200' }, brand.key)).toBe(ALREADY_LEAD);
    expect(await answer({ click_id: 12 }, brand.key)).toBe(NOT_FOUND);
  });

  it.each([
    ['empty', ''],
    ['blank', ' \t\n'],
    ['null', null],
    ['a boolean', true],
    ['a list', ['u1']],
    ['an object', { id: 'u1' }],
  ])('count as not sent if they are %s', async (_, value) => {
    expect(await answer({ customer_key: value, click_id: value }, brand.key)).toBe(MISSING);
    expect(await answer({ customer_key: value, click_id: await clicked(brand) }, brand.key)).toBe(SETTLED);
    const customerKey = `beside ${JSON.stringify(value)}`;
    await signedUp(brand, customerKey);
    expect(await answer({ customer_key: customerKey, click_id: value }, brand.key)).toBe(ALREADY_LEAD);
  });

  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['128 two-unit characters', '😀'.repeat(128)],
    ['U+0000', 'k\u0000'],
    ['U+001F', 'k\u001f'],
    ['U+007F', 'k\u007f'],
    ['a trailing line break', 'k\n'],
    ['an unpaired surrogate', 'k\ud800'],
  ])('match no customer and are not stored if they contain %s', async (_, value) => {
    expect(await answer({ customer_key: value }, brand.key)).toBe(NOT_FOUND);
    expect(await answer({ click_id: value }, brand.key)).toBe(NOT_FOUND);
    expect(await answer({ customer_key: value })).toBe(NOT_FOUND);
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, customer_key: value }, brand.key)).toBe(SETTLED);
    const [customer] = await world.items(`CUSTOMER#${clickId}`);
    expect(customer).not.toHaveProperty('customerKey');
  });

  it.each([
    ['255 characters', 'k'.repeat(255)],
    ['255 three-byte characters', '€'.repeat(255)],
    ['U+0080', 'k\u0080'],
    ['a separator of key parts', 'k#PROGRAM#1#'],
    ['JSON text', '{"S":"k"}'],
  ])('match if they contain %s, and are stored unchanged', async (_, value) => {
    const clickId = await clicked(brand);
    expect(await answer({ click_id: clickId, customer_key: value }, brand.key)).toBe(SETTLED);
    expect(await boundTo(value)).toEqual([clickId]);
    expect(await answer({ customer_key: value }, brand.key)).toBe(ALREADY_LEAD);
  });

  it('match different customers if they only look alike', async () => {
    const alike = ['jose\u0301', 'josé', 'José', ' josé', 'josé ', 'jose', 'jos\u0435'];
    for (const customerKey of alike) {
      const clickId = await clicked(brand);
      expect(await answer({ click_id: clickId, customer_key: customerKey }, brand.key)).toBe(SETTLED);
      expect(await boundTo(customerKey)).toEqual([clickId]);
    }
  });

  it('match a customer only if they are exactly equal to the stored ones', async () => {
    const clickId = await clicked(brand);
    for (const alike of [clickId.toUpperCase(), ` ${clickId}`, clickId.slice(0, -1)]) {
      expect(await answer({ click_id: alike }, brand.key)).toBe(NOT_FOUND);
    }
  });
});
