import { beforeEach, describe, expect, it } from 'vitest';
import { earned, HOLD_OVER, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { memberOf, newAddress, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// A removed fraudster returns with another address and the same bank account.

openProcessor();

const world = openedWorld();
const own = opened(() => ownedBrand(world, { join: 'open' }), beforeEach);

const bank = (iban = 'DE89 3704 0044 0532 0130 00') => ({ method: 'bank', account_holder: 'Ana', iban });
const pay = ({ token }: Person, details: object, at = NOW) => portal(token).put('/payout-details', details, { at });

/** Makes a person with these details join by themselves. @returns the partner's id */
async function joined(person: Person, brand = own): Promise<number> {
  const reply = await portal(person.token).post(`/join/${brand.program.id}`, {});
  expect(reply.status).toBe(200);
  return partnerOf(person, brand);
}
async function partnerOf({ account: { email } }: Person, brand = own): Promise<number> {
  const { data } = (await brand.owner.get(`${brand.path}/partners?limit=100`)).body;
  return data.find((one: { email: string }) => one.email === email).id;
}
const someone = (name = 'eve') => signedInAs(world, newAddress(name));
const read = async (id: number, brand = own) => (await brand.owner.get(`${brand.path}/partners/${id}`)).body.data;
const sameOf = async (id: number) => (await read(id)).same_account;

/** Creates two partners with these details. */
async function two(first: object, second: object): Promise<[number, number]> {
  const [eve, mallory] = [await someone(), await someone('mallory')];
  expect((await pay(eve, first)).status).toBe(200);
  expect((await pay(mallory, second)).status).toBe(200);
  return [await joined(eve), await joined(mallory)];
}

describe('two partners who are paid to the same account', () => {
  it.each([
    ['an IBAN', bank(), bank('de89370400440532013000')],
    [
      'an account number',
      { method: 'bank', account_holder: 'Eve', account_number: '0001-2345', routing_number: '40 47 84', country: 'gb' },
      { method: 'bank', account_holder: 'Mal', account_number: '00012345', routing_number: '404784', country: 'GB' },
    ],
    [
      'a British account, as IBAN and as number',
      bank('GB33 BUKB 2020 1555 5555 55'),
      { method: 'bank', account_holder: 'Mal', account_number: '55555555', routing_number: '20-20-15', country: 'GB' },
    ],
    ['a PayPal address', { method: 'paypal', email: 'Eve@pay.test' }, { method: 'paypal', email: 'eve+2@pay.test' }],
  ])('are reported to owners, with each other’s name, but not to members: %s', async (_, first, second) => {
    const [eve, mallory] = await two(first, second);
    expect([await sameOf(eve), await sameOf(mallory)]).toEqual([[mallory], [eve]]);
    const { data } = (await own.owner.get(`${own.path}/partners`)).body;
    expect(data.find(({ id }: { id: number }) => id === mallory).same_account).toEqual([eve]);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    expect((await member.get(`${own.path}/partners/${eve}`)).body.data.same_account).toEqual([]);
  });

  it('are reported when the second one sets the same details, and no longer when one changes them', async () => {
    const [eve, mallory] = [await someone(), await someone('mallory')];
    const ids = [await joined(eve), await joined(mallory)] as const;
    await pay(eve, bank());
    expect(await sameOf(ids[0])).toEqual([]);
    await pay(mallory, bank());
    expect(await sameOf(ids[0])).toEqual([ids[1]]);
    await pay(mallory, bank('GB82 WEST 1234 5698 7654 32'));
    expect([await sameOf(ids[0]), await sameOf(ids[1])]).toEqual([[], []]);
  });

  it('are listed with each other’s id in the rows of a payout preview', async () => {
    const eve = await someone();
    await pay(eve, bank());
    const other = await joined(eve);
    const ana = await signedInAs(world, own.partner.email);
    await pay(ana, bank());
    await world
      .deps()
      .table.update(
        { pk: `PROGRAM#${own.program.id}`, sk: `PARTNER#${own.partner.id}` },
        { set: { joinedAt: NOW.toISOString() } },
      );
    await pay(ana, bank('GB82 WEST 1234 5698 7654 32'));
    await pay(ana, bank());
    await earned(own, 1);
    const { body } = await own.owner.post(`${own.path}/payouts/preview`, {}, { at: HOLD_OVER });
    expect(body.data.items).toMatchObject([{ partner_id: own.partner.id, same_account: [other] }]);
  });

  it('are not reported if they are partners of two workspaces', async () => {
    const stranger = await ownedBrand(world, { join: 'open' });
    const [eve, mallory] = [await someone(), await someone('mallory')];
    await pay(eve, bank());
    await pay(mallory, bank());
    await joined(eve, stranger);
    expect(await sameOf(await joined(mallory))).toEqual([]);
    const items = await Promise.all(
      [own, stranger].map(({ program }) => world.items(`ACCOUNT_SALT#${program.workspaceId}`)),
    );
    expect(items[0]).not.toEqual(items[1]);
  });
});

describe('if a person joins a program while saving payout details, another partner with the same account is found', () => {
  it.each([
    ['the first details', 'write', undefined],
    ['changed details', 'second write', bank('GB82 WEST 1234 5698 7654 32')],
  ] as const)('when the person saves %s', async (_, call, former) => {
    const [eve, mallory] = [await someone(), await someone('mallory')];
    await pay(mallory, bank());
    const other = await joined(mallory);
    if (former) await pay(eve, former);
    const paid = await failing(
      call,
      overtakenBy(() => joined(eve)),
      () => pay(eve, bank()),
    );
    expect(paid.status).toBe(200);
    const id = await partnerOf(eve);
    expect([await sameOf(id), await sameOf(other)]).toEqual([[other], [id]]);
    const { data } = (await own.owner.get('/workspace/audit?limit=100')).body;
    const rows = data.filter((row: { action: string }) => row.action === 'payout_details.changed');
    expect(rows.map(({ target }: { target: { id: string } }) => target.id)).toEqual([String(id)]);
    expect(rows[0].changes.masked.from).toBeNull();
  });
});

const remove = (id: number) => own.owner.patch(`${own.path}/partners/${id}`, { status: 'removed' });

/** Eve, whom the brand has removed and invited again, after that invitation has ended. */
async function invitedInVain(by: 'the brand' | 'the person' | 'time') {
  const eve = await someone();
  const id = await joined(eve);
  await remove(id);
  const path = `${own.path}/partners/${id}`;
  expect((await own.owner.post(`${path}/invite`)).status).toBe(200);
  if (by === 'the brand') await own.owner.post(`${path}/withdraw`);
  if (by === 'the person') await portal(eve.token).post(`/programs/${own.program.id}/decline`);
  // The time by which the invitation has run out, and another one may be sent.
  const at = new Date(NOW.getTime() + 30 * 86_400_000);
  expect((await own.owner.get(path, { at })).body.data.status).toBe('expired');
  return { eve, id, at };
}

describe('a removed partner who applies again, even to an open program,', () => {
  it('with another e-mail address waits for the owner if the payout account is the same', async () => {
    const eve = await someone();
    await pay(eve, bank());
    await remove(await joined(eve));
    const again = await someone('other');
    await pay(again, bank());
    expect((await read(await joined(again))).status).toBe('applied');
    expect((await read(await joined(again))).status).toBe('applied');
  });

  it('with another spelling of the same mailbox waits for the owner', async () => {
    const name = `eve${own.program.id}`;
    await remove(await joined(await signedInAs(world, `${name}@people.test`)));
    const again = await signedInAs(world, `${name}+again@people.test`);
    expect((await read(await joined(again))).status).toBe('applied');
  });

  it.each([
    ['the same e-mail address', ''],
    ['a tagged e-mail address', '+again'],
  ])(
    'after closing the account waits for the owner even without payout details, if the new account has %s',
    async (_, tag) => {
      const name = `eve${own.program.id}`;
      const eve = await signedInAs(world, `${name}@people.test`);
      await remove(await joined(eve));
      expect((await portal(eve.token).ask('DELETE', '/me', { confirm: eve.account.email })).status).toBe(200);
      const again = await signedInAs(world, `${name}${tag}@people.test`);
      expect((await read(await joined(again))).status).toBe('applied');
      const kept = (await allItems(world)).filter((item) => JSON.stringify(item).includes(`SAME_ACCOUNT#`));
      expect(kept).not.toEqual([]);
      expect(JSON.stringify(kept)).not.toContain(name);
    },
  );

  it('after closing the account waits for the owner if the payout account is the same', async () => {
    const eve = await someone();
    const { email } = eve.account;
    await pay(eve, bank());
    const id = await joined(eve);
    await remove(id);
    expect((await portal(eve.token).ask('DELETE', '/me', { confirm: email })).status).toBe(200);
    expect(await read(id)).toMatchObject({
      status: 'removed',
      email: null,
      has_account: false,
      left_at: NOW.toISOString(),
    });
    const restored = await own.owner.patch(`${own.path}/partners/${id}`, { status: 'active' });
    expect(restored.status).toBe(409);
    const again = await signedInAs(world, email);
    await pay(again, bank());
    const applied = await joined(again);
    expect(await read(applied)).toMatchObject({ id: applied, status: 'applied', email });
    expect(applied).not.toBe(id);
    expect((await own.owner.post(`${own.path}/partners/${applied}/accept`)).body.data).toMatchObject({
      status: 'active',
    });
  });

  it('to another open program of the workspace waits for the owner as well', async () => {
    const { body } = await own.owner.post('/programs', {
      name: 'Second',
      domain: 'second.test',
      commission_type: 'percent',
      commission_rate: 10,
    });
    const second = { ...own, program: { ...own.program, id: body.data.id }, path: `/programs/${body.data.id}` };
    expect((await own.owner.patch(second.path, { join: 'open' })).status).toBe(200);
    const eve = await someone();
    await pay(eve, bank());
    await remove(await joined(eve));
    const [tagged, honest] = [await someone('other'), await someone('honest')];
    await pay(tagged, bank());
    const mailbox = await signedInAs(world, eve.account.email.replace('@', '+u@'));
    const statuses = [];
    for (const person of [eve, tagged, mailbox, honest])
      statuses.push((await read(await joined(person, second), second)).status);
    expect(statuses).toEqual(['applied', 'applied', 'applied', 'active']);
  });

  it.each(['the brand', 'the person', 'time'] as const)(
    'after an invitation to return that %s has ended needs another invitation',
    async (by) => {
      const { eve, id, at } = await invitedInVain(by);
      const reply = await portal(eve.token).post(`/join/${own.program.id}`, {}, { at });
      expect([reply.status, reply.body.error.message]).toEqual([409, 'You have left this program']);
      expect((await own.owner.post(`${own.path}/partners/${id}/invite`, {}, { at })).status).toBe(200);
      expect((await portal(eve.token).post(`${own.path}/accept`, {}, { at })).body.data.status).toBe('active');
    },
  );

  it('with another account after an invitation that has ended waits for the owner', async () => {
    const { eve } = await invitedInVain('the brand');
    await portal(eve.token).ask('DELETE', '/me', { confirm: eve.account.email });
    const again = await signedInAs(world, eve.account.email);
    expect((await read(await joined(again))).status).toBe('applied');
  });

  it('after leaving voluntarily and closing the account is accepted like a new partner', async () => {
    const eve = await someone();
    await pay(eve, bank());
    await joined(eve);
    await portal(eve.token).post(`${own.path}/leave`);
    await portal(eve.token).ask('DELETE', '/me', { confirm: eve.account.email });
    const again = await signedInAs(world, eve.account.email);
    await pay(again, bank());
    expect((await read(await joined(again))).status).toBe('active');
  });

  it('does not prevent other people from joining', async () => {
    await remove(await joined(await someone()));
    expect((await read(await joined(await someone('honest')))).status).toBe('active');
  });
});
