import { describe, expect, it } from 'vitest';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { accountPartnerWrite, forgottenAddressWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import {
  failing,
  failingAt,
  failingTransactionOf,
  inConflict,
  overtakenBy,
  refused,
  replyLost,
  sentAgain,
} from '#test/support/table/faults.ts';
import { newAddress, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a person's payout details, and of the protection of money from a stolen session.

openProcessor();

const world = openedWorld();

const URL = '/payout-details';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const after = (ms: number) => new Date(NOW.getTime() + ms);

const paypal = (name: string) => ({ method: 'paypal', email: `${name}@example.com` });
const iban = { method: 'bank', account_holder: 'Ana Doe', iban: 'DE89 3704 0044 0532 0130 00' };
const account = {
  method: 'bank',
  account_holder: 'Ana Doe',
  account_number: '000123456789',
  routing_number: '021000021',
  country: 'us',
};
/** The end of the payout hold for the changed address. */
const ADDRESS_HELD_UNTIL = after(-HOUR_MS).toISOString();
const shown = (method: string, masked: string, at = NOW) => ({ method, masked, updated_at: at.toISOString() });
const put = (person: Person, body: unknown, at = NOW) => portal(person.token).put(URL, body, { at });
const stored = async ({ account: { id } }: Person) =>
  (await world.items(`ACCOUNT#${id}`)).find(({ sk }) => sk === 'PAYOUT_DETAILS') as Record<string, string>;

const without = (details: object, ...fields: string[]) =>
  Object.fromEntries(Object.entries(details).filter(([name]) => !fields.includes(name)));
const missing = (fields: string) => `Missing required fields: ${fields}`;

/** A brand with a partner who signs in. */
async function start(): Promise<{ own: OwnedBrand; ana: Person }> {
  const own = await ownedBrand(world);
  const email = newAddress('ana');
  const path = `${own.path}/partners/${own.partner.id}`;
  // This change comes after the hold of the previous one.
  await own.owner.patch(path, { email }, { at: after(-73 * HOUR_MS) });
  const ana = await signedInAs(world, email);
  await accepted(ana, own.path);
  return { own, ana };
}

const partnerOf = async (own: OwnedBrand, at = NOW) =>
  (await own.owner.get(`${own.path}/partners/${own.partner.id}`, { at })).body.data;
const changesIn = async (own: OwnedBrand) =>
  ((await own.owner.get('/workspace/audit')).body.data as { action: string }[]).filter(
    ({ action }) => action === 'payout_details.changed',
  );
const mailsTo = async ({ account: { email } }: Person) => {
  const { entries } = await world.deps().table.list(indexKeys.unsentMail('', '').gsi1pk, { most: 1_000 });
  const mails = await Promise.all(entries.map(({ pk, sk }) => world.deps().table.get<object>({ pk, sk })));
  return mails.filter((mail) => JSON.stringify(mail).includes(email));
};

/** Makes a person a partner of further programs as well. @returns their ids */
async function inPrograms({ account: { id } }: Person, partnerId: number, count: number): Promise<number[]> {
  const programIds = Array.from({ length: count }, (_, n) => 2_000_000 + n);
  const named = programIds.map((programId) => accountPartnerWrite(id, { programId, id: partnerId }));
  await world.deps().table.transactLong(named, []);
  return programIds;
}

async function expectHeld(programIds: readonly number[], partnerId: number, changedAt: Date): Promise<void> {
  const { table } = world.deps();
  const holds = await Promise.all(
    programIds.map((programId) => table.get<{ heldUntil: string }>(keys.payoutHold(programId, partnerId))),
  );
  const until = new Date(changedAt.getTime() + 24 * HOUR_MS).toISOString();
  expect(holds.map((hold) => hold?.heldUntil)).toEqual(programIds.map(() => until));
}

describe('GET and PUT /payout-details', () => {
  it('store the payout details encrypted and return only a masked form', async () => {
    const { own, ana } = await start();
    expect((await portal(ana.token).get(URL)).body).toEqual({ data: null });
    expect((await partnerOf(own)).payout).toBeNull();
    const data = shown('bank', 'DE** **** 3000');
    expect(await put(ana, iban)).toEqual(dataReply(data, 5));
    expect((await portal(ana.token).get(URL)).body).toEqual({ data });
    const item = await stored(ana);
    expect(item).toEqual({
      pk: `ACCOUNT#${ana.account.id}`,
      sk: 'PAYOUT_DETAILS',
      method: 'bank',
      masked: 'DE** **** 3000',
      sealed: expect.any(String),
      accountHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      updatedAt: NOW.toISOString(),
    });
    expect((await partnerOf(own)).payout).toEqual({ ...data, held_until: ADDRESS_HELD_UNTIL });
    expect((await own.owner.get(`${own.path}/partners`)).body.data[0].payout).toEqual({
      ...data,
      held_until: ADDRESS_HELD_UNTIL,
    });
    expect((await changesIn(own))[0]).toMatchObject({
      actor: { kind: 'partner', id: ana.account.id },
      action: 'payout_details.changed',
      target: { type: 'partner', id: String(own.partner.id) },
      changes: { masked: { from: null, to: 'DE** **** 3000' }, method: { from: null, to: 'bank' } },
    });
  });

  it.each<[object, string, object]>([
    [paypal('ana'), 'a***@example.com', paypal('ana')],
    [{ method: 'wise', email: ' Ana@Example.com ' }, 'a***@example.com', { method: 'wise', email: 'ana@example.com' }],
    [
      { ...iban, method: 'wise', bic: 'coba de ff xxx' },
      'DE** **** 3000',
      { ...iban, method: 'wise', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ],
    [
      { ...iban, method: 'wise', email: 'ana@example.com' },
      'a***@example.com',
      { method: 'wise', email: 'ana@example.com' },
    ],
    [{ ...account, bic: 'CHASUS33' }, '****6789', { ...account, country: 'US', bic: 'CHASUS33' }],
    [{ ...iban, account_number: '7' }, 'DE** **** 3000', { ...iban, iban: 'DE89370400440532013000' }],
    [account, '****6789', { ...account, country: 'US' }],
    [
      { method: 'other', instructions: ' Cash,\r\nplease ' },
      '****',
      { method: 'other', instructions: 'Cash,\nplease' },
    ],
  ])('accept the body %j', async (body, masked, sealed) => {
    const ana = await signedInAs(world);
    expect((await put(ana, body)).body.data).toMatchObject({ masked });
    const { sealed: text = '' } = await stored(ana);
    expect(JSON.parse(await open(world.deps(), text, { accountId: ana.account.id }))).toEqual(sealed);
  });

  const toIban = missing('account_holder, iban');
  const toAccount = missing('account_holder, account_number, routing_number, country');
  const long = 'x'.repeat(1_001);
  const bidi = `Ana${String.fromCodePoint(0x202e)}`;

  it.each<[unknown, string]>([
    [{ ...iban, bic: 'COBADEF' }, 'bic must be a valid BIC'],
    [{ ...account, bic: 7 }, 'bic must be a valid BIC'],
    [{ ...iban, iban: 'x', bic: 'x' }, 'iban must be a valid IBAN'],
    [{ ...account, country: 'x', bic: 'x' }, 'country must be a two-letter country code'],
    [{ method: 'wise', account_holder: 'Ana' }, missing('email')],
    [{ ...iban, method: 'wise', iban: 'x' }, 'iban must be a valid IBAN'],
    [{}, missing('method')],
    [{ method: null }, missing('method')],
    [{ method: 'cash', email: 7 }, 'Invalid method: cash. Valid: bank, paypal, wise, other'],
    [{ method: 7 }, 'Invalid method: 7. Valid: bank, paypal, wise, other'],
    [{ method: 'paypal' }, missing('email')],
    [{ method: 'wise', iban: iban.iban }, missing('email')],
    [{ method: 'paypal', email: 'ana' }, 'email must be a valid e-mail address'],
    [{ method: 'paypal', email: ['ana@example.com'] }, 'email must be a valid e-mail address'],
    [{ method: 'bank' }, toIban],
    [without(iban, 'account_holder'), toIban],
    [without(account, 'country'), toAccount],
    [without(account, 'account_number', 'routing_number'), toAccount],
    [{ ...iban, account_holder: ' ' }, 'account_holder must be a string of 1 to 120 characters'],
    [{ ...iban, account_holder: 'Ana\nDoe' }, 'account_holder must be a string of 1 to 120 characters'],
    [{ ...iban, account_holder: bidi }, 'account_holder must be a string of 1 to 120 characters'],
    [{ ...iban, account_holder: 7, iban: 'x' }, 'account_holder must be a string of 1 to 120 characters'],
    [{ ...iban, iban: 'DE88 3704 0044 0532 0130 00' }, 'iban must be a valid IBAN'],
    [{ ...iban, iban: 89 }, 'iban must be a valid IBAN'],
    [{ ...account, account_number: long }, 'account_number must be a string of 1 to 34 characters'],
    [{ ...account, routing_number: 21 }, 'routing_number must be a string of 1 to 34 characters'],
    [{ ...account, country: 'USA' }, 'country must be a two-letter country code'],
    [{ ...account, country: 1 }, 'country must be a two-letter country code'],
    [{ method: 'other' }, missing('instructions')],
    [{ method: 'other', instructions: long }, 'instructions must be a string of 1 to 1000 characters'],
    [{ method: 'other', instructions: '\ud800' }, 'instructions must be a string of 1 to 1000 characters'],
    ['[]', 'Invalid JSON body'],
  ])('refuse the body %j with the message “%s”', async (body, message) => {
    const ana = await signedInAs(world);
    expect(await put(ana, body)).toMatchObject(refusal(400, message));
    expect(await stored(ana)).toBeUndefined();
  });

  it('refuse a session whose sign-in was more than ten minutes ago, before the body is checked', async () => {
    const ana = await signedInAs(world);
    expect((await put(ana, paypal('ana'), after(10 * MINUTE_MS))).status).toBe(200);
    for (const body of [paypal('thief'), {}, '{']) {
      expect(await put(ana, body, after(10 * MINUTE_MS + 1))).toMatchObject(
        refusal(403, 'Sign in again to change payout details'),
      );
    }
    expect((await portal(ana.token).get(URL)).body.data.masked).toBe('a***@example.com');
    expect((await portal().put(URL, paypal('x'))).status).toBe(401);
    expect(await portal(ana.token).put(`${URL}?as=1`, paypal('x'))).toMatchObject({ status: 403 });
  });

  it('show only the person’s own details, which can be decrypted only for that person’s account', async () => {
    const [ana, eve] = await Promise.all([signedInAs(world), signedInAs(world)]);
    await put(ana, paypal('ana'));
    await put(eve, paypal('eve'));
    expect((await portal(eve.token).get(URL)).body.data.masked).toBe('e***@example.com');
    const { sealed = '' } = await stored(ana);
    await expect(open(world.deps(), sealed, { accountId: eve.account.id })).rejects.toThrow(/authenticate/);
    await expect(open(world.deps(), sealed, { programId: ana.account.id })).rejects.toThrow(/authenticate/);
  });
});

describe('a change of payout details', () => {
  it('sends a mail to the person’s e-mail address, even if there were no details before', async () => {
    const { ana } = await start();
    await put(ana, paypal('ana'));
    await put(ana, paypal('eve'), after(MINUTE_MS));
    const heldUntil = after(MINUTE_MS + 24 * HOUR_MS).toISOString();
    const mails = await mailsTo(ana);
    expect(mails).toHaveLength(2);
    expect(mails).toMatchObject([
      { kind: 'payout_details_changed', to: { email: ana.account.email }, data: { masked: 'a***@example.com' } },
      { kind: 'payout_details_changed', data: { masked: 'e***@example.com', heldUntil } },
    ]);
  });

  it('does nothing if the new details equal the stored ones', async () => {
    const { own, ana } = await start();
    const first = await put(ana, paypal('ana'));
    const item = await stored(ana);
    expect((await put(ana, paypal('Ana'), after(MINUTE_MS))).body).toEqual(first.body);
    expect(await stored(ana)).toEqual(item);
    expect((await partnerOf(own)).payout.held_until).toBe(ADDRESS_HELD_UNTIL);
    expect(await mailsTo(ana)).toHaveLength(1);
  });

  it('holds that person’s payouts for a day in every program, but not the payouts of other people', async () => {
    const { own, ana } = await start();
    await earned(own, 2);
    const path = `${own.path}/payouts`;
    const at = HOLD_OVER;
    const fresh = await signedInAs(world, ana.account.email);
    await put(ana, paypal('ana'));
    const owed = async (when: Date) => (await own.owner.get(`${own.path}/owed`, { at: when })).body.data.USD;
    expect(await owed(at)).toMatchObject({ approved_cents: 1_960, held_cents: 0, due_now_cents: 1_960 });

    // The session `fresh` signed in at NOW, so a new sign-in is made at the time of the change.
    const { table } = world.deps();
    const token = (await world.items(`ACCOUNT#${fresh.account.id}`)).map(({ hash }) => hash).filter(Boolean);
    for (const hash of token)
      await table.update(keys.credential(String(hash)), { set: { createdAt: at.toISOString() } });
    expect((await put(fresh, paypal('thief'), at)).status).toBe(200);
    expect(await owed(at)).toMatchObject({ approved_cents: 0, held_cents: 1_960, due_now_cents: 0 });
    const heldUntil = new Date(at.getTime() + 24 * HOUR_MS);
    const balance = async (when: Date) =>
      (await portal(fresh.token).get(`${own.path}/balance`, { at: when })).body.data.USD;
    expect(await balance(at)).toMatchObject({ approved_cents: 0, held_cents: 1_960 });
    expect(await balance(heldUntil)).toMatchObject({ approved_cents: 1_960, held_cents: 0 });
    expect((await partnerOf(own, at)).payout).toEqual({
      ...shown('paypal', 't***@example.com', at),
      held_until: heldUntil.toISOString(),
    });
    const preview = await own.owner.post(`${path}/preview`, {}, { at });
    const item = {
      partner_id: own.partner.id,
      partner_name: own.partner.name,
      partner_email: ana.account.email,
      currency: 'USD',
      amount_cents: 1_960,
      payout: { ...shown('paypal', 't***@example.com', at), held_until: heldUntil.toISOString() },
    };
    expect(preview.body.data).toMatchObject({ items: [], totals: {} });
    expect(preview.body.data.left_out).toEqual([{ ...item, reason: 'held' }]);
    const ofOther = await own.owner.post(`${path}/preview`, { through: '2026-01-01' }, { at });
    expect(ofOther.body.data.left_out).toEqual([]);
    const over = (await own.owner.post(`${path}/preview`, {}, { at: heldUntil })).body.data;
    expect(over.left_out).toEqual([]);
    expect(over.items).toEqual([
      {
        ...item,
        flagged: 0,
        new_since_last_payout: true,
        same_account: [],
        commission_ids: [expect.any(Number), expect.any(Number)],
      },
    ]);
    const nothing = platformError(409, 'No approved commissions to pay out');
    const before = new Date(heldUntil.getTime() - 1);
    expect((await own.owner.post(path, {}, { at })).body).toEqual(nothing);
    expect((await own.owner.post(path, {}, { at: before })).body).toEqual(nothing);
    const made = await own.owner.post(path, {}, { at: heldUntil });
    expect(made.body.data).toMatchObject({ status: 'made', totals: { USD: 1_960 } });
  });

  it('also holds the payouts of a program that adds the person after the change', async () => {
    const { ana } = await start();
    await put(ana, paypal('ana'));
    await put(ana, paypal('eve'));
    const later = await ownedBrand(world);
    const added = await later.owner.post(`${later.path}/partners`, { name: 'Ana', email: ana.account.email });
    await accepted(ana, later.path);
    const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
    await later.owner.post(`${later.path}/partners/${added.body.data.id}/commissions`, bonus);
    const { body } = await later.owner.get(`${later.path}/owed`);
    expect(body.data.USD).toMatchObject({ approved_cents: 0, held_cents: 5_000, due_now_cents: 0 });
  });

  it('also holds the payouts of a program that the person joins after the change', async () => {
    const { ana } = await start();
    await put(ana, paypal('ana'));
    await put(ana, paypal('eve'));
    const joined = await ownedBrand(world);
    await joined.owner.patch(joined.path, { join: 'open' });
    await portal(ana.token).post(`/join/${joined.program.id}`, {});
    const items = await world.items(`ACCOUNT#${ana.account.id}`);
    const id = items.find(({ sk }) => sk === `PARTNER#${joined.program.id}`)?.partnerId;
    const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
    await joined.owner.post(`${joined.path}/partners/${String(id)}/commissions`, bonus);
    const owed = await joined.owner.get(`${joined.path}/owed`);
    expect(owed.body.data.USD).toMatchObject({ approved_cents: 0, held_cents: 5_000, due_now_cents: 0 });
    const balance = await portal(ana.token).get(`${joined.path}/balance`);
    expect(balance.body.data.USD).toMatchObject({ approved_cents: 0, held_cents: 5_000 });
  });

  describe('while the person becomes a partner of another program', () => {
    /** Prepares another program that lists Ana or that she can join. @returns the action that makes her its partner */
    const ways: Record<string, (person: Person, other: OwnedBrand) => Promise<() => Promise<unknown>>> = {
      'by opening the portal with an e-mail address that is listed there': async (
        { token, account: { email } },
        other,
      ) => {
        await other.owner.post(`${other.path}/partners`, { name: 'Ana', email });
        return () => portal(token).get('/me');
      },
      'on the join page': async ({ token }, other) => {
        await other.owner.patch(other.path, { join: 'open' });
        return () => portal(token).post(`/join/${other.program.id}`, {});
      },
      'on the join page after the brand has added the person': async ({ token, account: { email } }, other) => {
        await other.owner.patch(other.path, { join: 'open' });
        const { data } = (await other.owner.post(`${other.path}/partners`, { name: 'Ana', email })).body;
        // Removes the address entry, which earlier versions did not write.
        const { table } = world.deps();
        await table.transact([forgottenAddressWrite({ email, programId: other.program.id })]);
        return async () => {
          const { body } = await portal(token).post(`/join/${other.program.id}`, {});
          expect(body).toEqual({ data: { status: 'active' } });
          expect(data.status).toBe('active');
        };
      },
    };
    const orders: Record<string, (change: () => Promise<unknown>, other: () => Promise<unknown>) => Promise<unknown>> =
      {
        'after the person has joined': (change, other) => failing('write', overtakenBy(other), change),
        'in two steps, between which the person joins': (change, other) =>
          failing('second write', overtakenBy(other), change),
        'just before the joining is written': (change, other) =>
          failingTransactionOf(partnersWrite, overtakenBy(change), other),
        'at the same time': (change, other) => Promise.all([change(), other()]),
      };
    let partnersWrite = '';

    it.each(
      Object.entries(ways).flatMap(([way, prepare]) =>
        Object.entries(orders).map(([order, race]) => [way, order, prepare, race] as const),
      ),
    )(
      'holds that program’s payouts too, if the person becomes its partner %s and the change is written %s',
      async (_way, _order, prepare, race) => {
        const { ana } = await start();
        await put(ana, paypal('ana'));
        const other = await ownedBrand(world);
        partnersWrite = `PROGRAM#${other.program.id}`;
        const become = await prepare(ana, other);
        await race(async () => expect((await put(ana, paypal('eve'))).status).toBe(200), become);
        await portal(ana.token).get('/me');
        const { data } = (await portal(ana.token).get('/me')).body;
        expect(data.programs).toHaveLength(2);
        const holds = (await world.items(partnersWrite)).filter(({ sk }) => String(sk).startsWith('PAYOUT_HOLD#'));
        expect(holds).toMatchObject([{ heldUntil: after(24 * HOUR_MS).toISOString() }]);
      },
    );
  });

  it('keeps the details out of every payout export while payouts are on hold, even out of exports of earlier payouts', async () => {
    const { own, ana } = await start();
    await earned(own, 1);
    await put(ana, { ...iban, account_holder: '=Ana' });
    const { id } = (await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER })).body.data;
    const file = async (at: Date) =>
      String((await own.owner.get(`${own.path}/payouts/${id}.csv`, { at })).body).split('\r\n')[1];
    const row = `${id},${own.partner.id},Ana,${ana.account.email},USD,980,1`;
    const line = `${own.partner.id}-USD,recorded,9.80`;
    expect(await file(HOLD_OVER)).toBe(
      `${row},bank,"'=Ana, IBAN DE89370400440532013000",,yes,${line},'=Ana,,DE89370400440532013000,,,,,,,,,`,
    );
    await put(ana, paypal('thief'), after(MINUTE_MS));
    const until = after(MINUTE_MS + 24 * HOUR_MS);
    const changedAt = after(MINUTE_MS).toISOString();
    expect(await file(after(HOUR_MS))).toBe(
      `${row},held,"Changed at ${changedAt}, to be seen from ${until.toISOString()}",,yes,${line},,,,,,,,,,,,`,
    );
    expect(await file(new Date(until.getTime() - 1))).toContain(',held,');
    expect(await file(until)).toBe(`${row},paypal,thief@example.com,,yes,${line},,thief@example.com,,,,,,,,,,`);
  });

  it('during the creation of a payout leaves its lines unchanged, and its export then shows “held” instead of any details', async () => {
    const { own, ana } = await start();
    await put(ana, paypal('ana'));
    await earned(own, 2);
    const at = after(5 * MINUTE_MS);
    await own.owner.patch(own.path, { hold_period_days: 0 });
    const ids = await earned(own, 1);
    const pay = () => own.owner.post(`${own.path}/payouts`, {}, { at });
    const changed = overtakenBy(() => put(ana, paypal('thief'), at));
    const { data } = (await failing('write', changed, pay)).body;
    expect(data).toMatchObject({ status: 'made', items: [{ commission_ids: ids }] });
    const file = await own.owner.get(`${own.path}/payouts/${data.id}.csv`, { at });
    expect(file.body).toContain(',held,');
    expect(file.body).not.toContain('thief');
    expect((await pay()).body).toEqual(platformError(409, 'No approved commissions to pay out'));
  });

  it('by ten parallel requests leaves the details of one request, with the mask that belongs to them', async () => {
    const { ana } = await start();
    const names = 'abcdefghij'.split('');
    const replies = await Promise.all(names.map((name) => put(ana, paypal(name))));
    expect(statusesOf(replies)).toEqual(Array(10).fill(200));
    const { sealed = '', masked, heldUntil } = await stored(ana);
    const { email } = JSON.parse(await open(world.deps(), sealed, { accountId: ana.account.id })) as { email: string };
    expect(masked).toBe(`${email[0]}***@example.com`);
    expect(heldUntil).toBe(after(24 * HOUR_MS).toISOString());
  });

  it.each([
    ['in conflict', inConflict, 200, 1],
    ['sent again', sentAgain, 200, 1],
    ['refused', refused('InternalServerError'), 500, 0],
  ])('is made, mailed and audited once or not at all if its write is %s', async (_, fault, status, count) => {
    const { own, ana } = await start();
    expect((await failing('write', fault, () => put(ana, paypal('ana')))).status).toBe(status);
    expect(await mailsTo(ana)).toHaveLength(count);
    expect((await stored(ana)) === undefined).toBe(count === 0);
    expect(await changesIn(own)).toHaveLength(count);
  });

  it.each([
    ['is interrupted', refused('InternalServerError')],
    ['loses a reply', replyLost],
  ])(
    'never takes effect before payouts are on hold in all of a partner’s many programs, if any of its calls %s',
    async (_, fault) => {
      const { own, ana } = await start();
      const programs = [own.program.id, ...(await inPrograms(ana, own.partner.id, 150))];
      await put(ana, paypal('ana'));
      const changes = ['eve', 'ida', 'joe', 'kim', 'lea', 'max', 'ned', 'oda', 'pat', 'ron', 'sue', 'tom'];
      let at = after(0);
      let call = 0;
      for (const name of changes) {
        at = new Date(at.getTime() + 30_000);
        call += 1;
        const before = await stored(ana);
        const { status } = await failingAt(call, fault, () => put(ana, paypal(name), at)).catch(() => ({ status: 0 }));
        const left = await stored(ana);
        const isChanged = left.sealed !== before.sealed;
        await expectHeld(isChanged ? programs : [], own.partner.id, at);
        expect({ isChanged, status }).not.toEqual({ isChanged: false, status: 200 });
        expect((await put(ana, paypal(name), at)).body).toEqual({
          data: shown('paypal', `${name[0]}***@example.com`, at),
        });
        await expectHeld(programs, own.partner.id, at);
      }
      expect(await changesIn(own)).toHaveLength(changes.length + 1);
      expect(await mailsTo(ana)).toHaveLength(changes.length + 1);
    },
  );

  it(
    'holds the payouts of all programs of a partner, even if there are too many for one transaction',
    { tags: 'deep' },
    async () => {
      const { own, ana } = await start();
      const more = await inPrograms(ana, own.partner.id, 1_100);
      await put(ana, paypal('ana'));
      expect((await put(ana, paypal('eve'))).status).toBe(200);
      await expectHeld([own.program.id, ...more], own.partner.id, NOW);
    },
  );
});
