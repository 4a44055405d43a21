import { beforeEach, describe, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { waitingMails } from '#test/support/outbox/mails-waiting.ts';
import { type Person, newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests what a brand can find out about a person whose address it has entered.

openProcessor();

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
});

const IBAN = 'DE89370400440532013000';
const bank = (iban = IBAN) => ({ method: 'bank', account_holder: 'Vera Victim', iban });
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
const notYet = platformError(409, 'You are not a partner of this program yet');

/** A person with payout details who was neither invited nor added. */
async function victim(): Promise<Person> {
  const person = await signedInAs(world, newAddress('vera'));
  expect((await portal(person.token).put('/payout-details', bank())).status).toBe(200);
  return person;
}

async function added({ account: { email } }: Pick<Person, 'account'>, more: object = {}, to = own): Promise<string> {
  const reply = await to.owner.post(`${to.path}/partners`, { name: 'Somebody', email, ...more });
  expect(reply.status).toBe(200);
  return `${to.path}/partners/${reply.body.data.id}`;
}

const bonus = { amount_cents: 1, currency: 'USD', reason: 'Bonus' };

/** Grants a cent and records a payout of it. @returns the path of the payout */
async function paid(partner: string, at = NOW, by = own): Promise<string> {
  expect((await by.owner.post(`${partner}/commissions`, bonus, { at })).status).toBe(200);
  const made = await by.owner.post(`${by.path}/payouts`, { partner_id: idOf(partner) }, { at });
  expect(made.body.data).toMatchObject({ status: 'made', totals: { USD: 1 } });
  return `${by.path}/payouts/${made.body.data.id}`;
}

const idOf = (partner: string) => Number(partner.split('/').at(-1));
const rowOf = async (partner: string, by = own) => (await by.owner.get(partner)).body.data;
const file = async (payout: string, at = NOW, by = own): Promise<string> =>
  (await by.owner.get(`${payout}.csv`, { at })).body;

/** The program as shown in the person's list. */
async function accept(person: Person, brand = own, at = NOW) {
  await portal(person.token).get('/me');
  return portal(person.token).post(`${brand.path}/accept`, {}, { at });
}
const downloads = async () => (await waitingMails(world)).filter(({ kind }) => kind === 'details_downloaded');
const leave = (person: Person, at = NOW, brand = own) => portal(person.token).post(`${brand.path}/leave`, {}, { at });
const setDetails = (person: Person, iban: string, at = NOW) =>
  portal(person.token).put('/payout-details', bank(iban), { at });

describe('a person whom a brand adds as a partner', () => {
  it('looks to the brand like a person without an account until the person accepts', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const unregistered = await added({ account: { ...vera.account, email: newAddress('unregistered') } });
    await portal(vera.token).get('/me');
    const payout = await paid(partner);
    const [ofVera, ofUnregistered] = [await rowOf(partner), await rowOf(unregistered)];
    expect(ofVera).toMatchObject({ status: 'active', joined_at: null, has_account: false, payout: null });
    const alike = { id: 0, email: '', links: [], amounts: {} };
    expect({ ...ofVera, ...alike }).toEqual({ ...ofUnregistered, ...alike });
    expect(await file(payout)).toMatch(/,USD,1,1,,,,yes,2-USD,recorded,0\.01,{12}\r\n$/);
    await own.owner.post(`${partner}/commissions`, bonus);
    const preview = await own.owner.post(`${own.path}/payouts/preview`, {});
    expect(preview.body.data.items).toMatchObject([{ partner_id: idOf(partner), payout: null }]);
  });

  it('can read the program before accepting but change nothing, and becomes a partner by accepting', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const { get, post } = portal(vera.token);
    expect((await get('/me')).body.data.programs).toMatchObject([{ status: 'invited', joined_at: null }]);
    expect((await get(own.path)).body.data).toMatchObject({ status: 'invited' });
    await own.owner.patch(own.path, { partner_terms: 'Be fair.' });
    for (const [step, body] of [
      ['links', {}],
      ['leave', {}],
      ['terms', { version: 1 }],
    ] as const) {
      expect((await post(`${own.path}/${step}`, body)).body).toEqual(notYet);
    }
    expect((await post(`${own.path}/accept`, {})).body).toEqual(
      platformError(409, 'Accept the terms of this program first'),
    );
    const accepted = await post(`${own.path}/accept`, { terms_version: 1 }, { at: minutes(5) });
    expect(accepted.body.data).toMatchObject({ status: 'active', terms: { accepted_at: minutes(5).toISOString() } });
    expect(await rowOf(partner)).toMatchObject({
      status: 'active',
      joined_at: minutes(5).toISOString(),
      has_account: true,
      payout: { masked: 'DE** **** 3000' },
    });
    expect((await post(`${own.path}/accept`, { terms_version: 1 }, { at: minutes(9) })).body).toEqual(accepted.body);
  });

  it('can change payout details before accepting without an audit entry and without a hold that the brand sees', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await portal(vera.token).get('/me');
    await own.owner.post(`${partner}/commissions`, bonus);
    expect((await setDetails(vera, 'GB33BUKB20201555555555')).status).toBe(200);
    const preview = (await own.owner.post(`${own.path}/payouts/preview`, {})).body.data;
    expect(preview).toMatchObject({ left_out: [], items: [{ partner_id: idOf(partner), payout: null }] });
    expect((await own.owner.get(`${own.path}/owed`)).body.data.USD).toMatchObject({ held_cents: 0, due_now_cents: 1 });
    const audit = (await own.owner.get('/workspace/audit')).body;
    expect(JSON.stringify(audit)).not.toContain('payout_details');
    await accept(vera);
    const shared = (await own.owner.post(`${own.path}/payouts/preview`, {})).body.data;
    expect(shared).toMatchObject({ items: [], left_out: [{ partner_id: idOf(partner), reason: 'held' }] });
  });

  it('loses their links and shares no payout details if they decline', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const { post, get } = portal(vera.token);
    await get('/me');
    for (let n = 0; n < 2; n += 1) {
      expect((await post(`${own.path}/decline`)).body).toEqual({ data: { declined: true } });
    }
    expect(await rowOf(partner)).toMatchObject({
      status: 'removed',
      left_at: NOW.toISOString(),
      joined_at: null,
      has_account: false,
      payout: null,
    });
    expect((await get(own.path)).body.data).toMatchObject({ status: 'removed' });
    const audit = JSON.stringify((await own.owner.get('/workspace/audit')).body);
    expect(audit).not.toContain(vera.account.name === 'Somebody' ? '-' : `"name":"${vera.account.name}"`);
  });
});

describe('an invited person', () => {
  it.each(['has not answered', 'has declined'])('who %s shares no payout details', async (step) => {
    const vera = await victim();
    const partner = await added(vera, { invite: true });
    await portal(vera.token).get('/me');
    if (step === 'has declined') await portal(vera.token).post(`${own.path}/decline`);
    expect(await rowOf(partner)).toMatchObject({ joined_at: null, has_account: false, payout: null });
  });
});

describe('sharing of payout details', () => {
  it('ends when the person leaves the last program of the workspace; files of older payouts never show newer details', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await accept(vera);
    const first = await paid(partner);
    expect(await file(first)).toContain(IBAN);
    expect((await leave(vera, minutes(2))).status).toBe(200);
    expect(await rowOf(partner)).toMatchObject({ status: 'removed', has_account: false, payout: null });
    expect((await setDetails(vera, 'GB33BUKB20201555555555', minutes(3))).status).toBe(200);
    const later = minutes(2_000);
    expect(await file(first, later)).toContain(IBAN);
    expect((await own.owner.post(`${partner}/invite`, {}, { at: later })).status).toBe(200);
    expect((await accept(vera, own, later)).status).toBe(200);
    const second = await paid(partner, later);
    expect(await file(second, later)).toContain('GB33BUKB20201555555555');
    expect(await file(first, later)).toContain(IBAN);
  });

  it.each(['left', 'was removed'])(
    'does not include details that were on hold for a recent change when the person %s',
    async (how) => {
      const vera = await victim();
      const partner = await added(vera);
      await accept(vera);
      const payout = await paid(partner);
      // A thief with a stolen session changes the details, and the person corrects them at once.
      expect((await setDetails(vera, 'GB33BUKB20201555555555', minutes(1))).status).toBe(200);
      if (how === 'left') await leave(vera, minutes(2));
      else await own.owner.patch(partner, { status: 'removed' }, { at: minutes(2) });
      expect((await setDetails(vera, IBAN, minutes(3))).status).toBe(200);
      expect(await file(payout, minutes(2_000))).toMatch(/,USD,1,1,,,,yes,2-USD,recorded,0\.01,{12}\r\n$/);
    },
  );

  it('continues while the person is an accepted partner of another program of the workspace', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const created = await own.owner.post('/programs', {
      name: 'Second',
      domain: 'second.test',
      commission_type: 'percent',
      commission_rate: 10,
    });
    const second = { ...own, path: `/programs/${created.body.data.id}` };
    const other = await added(vera, {}, second);
    await accept(vera, second);
    await own.owner.post(`${partner}/commissions`, bonus);
    const previewed = async () =>
      (await own.owner.post(`${own.path}/payouts/preview`, {})).body.data.items[0].payout as unknown;
    // In the program where the person has not accepted, nothing reveals the account.
    expect(await rowOf(partner)).toMatchObject({ joined_at: null, has_account: false, payout: null });
    expect(await previewed()).toBeNull();
    const { id } = (await own.owner.post(`${own.path}/payouts`, {})).body.data;
    expect(await file(`${own.path}/payouts/${id}`)).toMatch(/,USD,1,1,,,,yes,2-USD,recorded,0\.01,{12}\r\n$/);
    await accept(vera);
    await own.owner.post(`${partner}/commissions`, bonus);
    await leave(vera);
    const shared = { method: 'bank', masked: 'DE** **** 3000' };
    expect(await rowOf(partner)).toMatchObject({ status: 'removed', has_account: true, payout: shared });
    expect(await previewed()).toMatchObject(shared);
    await own.owner.post(`${partner}/invite`);
    await Promise.all([accept(vera), leave(vera, NOW, second)]);
    await leave(vera);
    for (const path of [partner, other]) {
      expect(await rowOf(path)).toMatchObject({ status: 'removed', has_account: false, payout: null });
    }
  });

  it('shows no details in earlier payouts once the person has left the only program in which they accepted the partnership', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const payout = await paid(partner);
    const created = await own.owner.post('/programs', {
      name: 'Second',
      domain: 'ended.test',
      commission_type: 'percent',
      commission_rate: 10,
    });
    const second = { ...own, path: `/programs/${created.body.data.id}` };
    await added(vera, {}, second);
    await accept(vera, second);
    await leave(vera, minutes(1), second);
    expect(await file(payout, minutes(2))).toMatch(/,USD,1,1,,,,yes,2-USD,recorded,0\.01,{12}\r\n$/);
  });

  it('sends the person a mail about downloads of full details, at most once a day', async () => {
    const vera = await victim();
    const partner = await added(vera);
    const unseen = await paid(partner);
    await file(unseen);
    expect(await downloads()).toEqual([]);
    await accept(vera);
    for (const at of [NOW, minutes(60), minutes(24 * 60)]) await file(unseen, at);
    expect(await downloads()).toMatchObject([
      { to: { email: vera.account.email, accountId: vera.account.id } },
      { to: { email: vera.account.email } },
    ]);
    const audit = (await own.owner.get('/workspace/audit', { at: minutes(24 * 60) })).body.data as {
      action: string;
    }[];
    expect(audit.filter(({ action }) => action === 'payout.exported')).toHaveLength(4);
  });
});

const remove = (partner: string, at = NOW) => own.owner.patch(partner, { status: 'removed' }, { at });
const restore = (partner: string, at = NOW) => own.owner.patch(partner, { status: 'active' }, { at });
const SECOND = 'GB33BUKB20201555555555';

describe('a partner whom the brand removes and restores', () => {
  it('earns at once, but details set after the removal stay hidden until the partner accepts again', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await accept(vera);
    const before = await paid(partner);
    const link = (await portal(vera.token).post(`${own.path}/links`, {})).body.data;
    await remove(partner, minutes(1));
    expect((await setDetails(vera, SECOND, minutes(2))).status).toBe(200);
    const restored = await restore(partner, minutes(3));
    const unseen = { status: 'active', joined_at: null, has_account: false, payout: null, left_at: null };
    expect(restored.body.data).toMatchObject({ ...unseen, links: [expect.any(String), link.short_link] });
    expect(await rowOf(partner)).toEqual(restored.body.data);
    const audit = (await own.owner.get('/workspace/audit')).body.data as { action: string; changes: object }[];
    expect(audit.find(({ action }) => action === 'partner.changed')?.changes).toEqual({
      status: { from: 'removed', to: 'active' },
      joined_at: { from: NOW.toISOString(), to: null },
    });
    const later = minutes(2_000);
    const { get, post } = portal(vera.token);
    expect((await get('/me', { at: later })).body.data.programs).toMatchObject([
      { status: 'invited', joined_at: null },
    ]);
    for (const step of ['links', 'leave'])
      expect((await post(`${own.path}/${step}`, {}, { at: later })).body).toEqual(notYet);
    const during = await paid(partner, later);
    expect(await file(during, later)).toMatch(/,USD,1,1,,,,,2-USD,recorded,0\.01,{12}\r\n$/);
    expect(await file(before, later)).toContain(IBAN);
    expect((await accept(vera, own, later)).body.data).toMatchObject({ status: 'active' });
    expect(await rowOf(partner)).toMatchObject({
      joined_at: later.toISOString(),
      has_account: true,
      payout: { masked: 'GB** **** 5555' },
    });
    expect(await file(during, later)).toContain(SECOND);
    expect(await file(before, later)).not.toContain(SECOND);
  });

  it('is removed again if they decline, and the brand cannot restore them a second time', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await accept(vera);
    await remove(partner);
    await restore(partner);
    const decline = () => portal(vera.token).post(`${own.path}/decline`, undefined, { at: minutes(1) });
    for (let n = 0; n < 2; n += 1) expect((await decline()).body).toEqual({ data: { declined: true } });
    expect(await rowOf(partner)).toMatchObject({
      status: 'removed',
      joined_at: null,
      left_at: minutes(1).toISOString(),
      has_account: false,
    });
    expect((await restore(partner)).status).toBe(409);
  });

  it('has to accept the terms again, and gets no mail before that', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await own.owner.patch(own.path, { partner_terms: 'Be fair.' });
    await portal(vera.token).get('/me');
    const yes = () => portal(vera.token).post(`${own.path}/accept`, { terms_version: 1 });
    expect((await yes()).status).toBe(200);
    await portal(vera.token).ask('PATCH', '/me', { mail: false });
    await remove(partner);
    await restore(partner);
    expect(await rowOf(partner)).toMatchObject({ accepted_terms: null, mail: 'ok' });
    expect((await portal(vera.token).get('/me')).body.data.programs).toMatchObject([{ terms_to_accept: 1 }]);
    expect((await accept(vera)).body).toEqual(platformError(409, 'Accept the terms of this program first'));
    expect((await yes()).body.data).toMatchObject({ status: 'active' });
  });

  it('has the same account and shares details again after accepting, even if the brand changed the e-mail address', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await accept(vera);
    await remove(partner);
    await restore(partner);
    await own.owner.patch(partner, { email: newAddress('elsewhere') });
    expect((await accept(vera)).body.data).toMatchObject({ status: 'active' });
    expect(await rowOf(partner)).toMatchObject({ has_account: true });
  });

  it('becomes a partner by an invitation if they have never accepted', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await remove(partner);
    expect((await restore(partner)).body.data).toMatchObject({ status: 'active', joined_at: null });
    expect((await accept(vera)).body.data).toMatchObject({ status: 'active' });
  });

  it('gets the reply that the brand has removed them if they try to leave', async () => {
    const vera = await victim();
    const partner = await added(vera);
    await accept(vera);
    await remove(partner);
    expect((await leave(vera)).body).toEqual(
      platformError(
        409,
        'The program has removed you: nothing is shared through it unless you accept to be its partner again',
      ),
    );
    expect((await restore(partner)).status).toBe(200);
  });
});

describe('two parallel requests about one partner', () => {
  it.each(['leaving', 'the payout'])(
    'leave a payout with the payout details that the partner shared before leaving, if %s is written first',
    async (first) => {
      const vera = await victim();
      const partner = await added(vera);
      await accept(vera);
      await own.owner.post(`${partner}/commissions`, bonus);
      const pay = () => own.owner.post(`${own.path}/payouts`, { partner_id: idOf(partner) });
      const made =
        first === 'leaving'
          ? await failing(
              'write',
              overtakenBy(() => leave(vera)),
              pay,
            )
          : await failing('write', overtakenBy(pay), () => leave(vera));
      expect(made.status).toBe(200);
      expect(await rowOf(partner)).toMatchObject({ status: 'removed', has_account: false, payout: null });
      const { data } = (await own.owner.get(`${own.path}/payouts`)).body;
      expect(data).toMatchObject([{ status: 'made', totals: { USD: 1 } }]);
      expect((await setDetails(vera, SECOND, minutes(1))).status).toBe(200);
      // In either order, the payout shows the details that were shared until the person left.
      const text = await file(`${own.path}/payouts/${data[0].id}`, minutes(2_000));
      expect(text).toContain(IBAN);
      expect(text).not.toContain(SECOND);
    },
  );

  it.each(['a new partner', 'a restored partner'])(
    'do not let %s rejoin by an acceptance if the brand removes the partner in the same moment',
    async (who) => {
      const vera = await victim();
      const partner = await added(vera);
      await portal(vera.token).get('/me');
      if (who !== 'a new partner') {
        await accept(vera);
        await remove(partner);
        await restore(partner);
      }
      const late = await failing(
        'write',
        overtakenBy(() => remove(partner)),
        () => portal(vera.token).post(`${own.path}/accept`, {}),
      );
      expect(late.body).toEqual(platformError(409, 'You have left this program'));
      expect(await rowOf(partner)).toMatchObject({ status: 'removed', joined_at: null, has_account: false });
      await restore(partner);
      const removal = await failing(
        'write',
        overtakenBy(() => accept(vera)),
        () => remove(partner, minutes(1)),
      );
      expect(removal.body.data).toMatchObject({ status: 'removed', has_account: false, payout: null });
      expect((await setDetails(vera, SECOND, minutes(2))).status).toBe(200);
      expect((await restore(partner, minutes(3))).body.data).toMatchObject({ has_account: false, payout: null });
    },
  );
});
