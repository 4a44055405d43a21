import { beforeEach, describe, expect, it } from 'vitest';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, ownerOfBrand, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// A member of the brand gives a partner the member's own address to redirect its payouts.

openProcessor();

const HOUR_MS = 3_600_000;
const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR_MS);
/** A time at which a commission of 980 has been due for a while. */
const DUE = hoursAfter(HOLD_OVER, 24);
const OWNERS_ONLY = platformError(403, 'Only a workspace owner can do this');

let world: World;
let own: OwnedBrand;
let member: Dashboard;
let partnerPath: string;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
  partnerPath = `${own.path}/partners/${own.partner.id}`;
  const { workspace } = await ownerOfBrand(world, own);
  member = dashboard((await memberOf(world, workspace)).token);
  await earned(own, 1);
});

const paypal = { method: 'paypal', email: 'me@example.com' };
const setDetails = async (email: string, at: Date, details: object = paypal) => {
  const person = await signedInAs(world, email, at);
  return { person, reply: await portal(person.token).put('/payout-details', details, { at }) };
};
/** Sets payout details of a person who becomes a partner now. */
const setOwnDetails = async (email: string, at: Date, details: object = paypal) => {
  await accepted(await signedInAs(world, email, at), own.path, at);
  return setDetails(email, at, details);
};
const preview = async (at: Date) => (await own.owner.post(`${own.path}/payouts/preview`, {}, { at })).body.data;
const pay = (at: Date) => own.owner.post(`${own.path}/payouts`, {}, { at });
const partnerAt = async (at: Date) => (await own.owner.get(partnerPath, { at })).body.data;
const stored = async () => [
  ...(await world.items(`PROGRAM#${own.program.id}`)).filter(({ sk }) => sk !== 'SIZE'),
  ...(await world.items(`PARTNER_EMAIL#${own.program.workspaceId}#ana@partners.test`)),
];
const mails = async () => {
  const { table } = world.deps();
  const { entries } = await table.list(indexKeys.unsentMail('', '').gsi1pk, { most: 100 });
  const found = await Promise.all(
    entries.map(({ pk, sk }) => table.get<{ kind: string; to: { email: string } }>({ pk, sk })),
  );
  // The member, too, was invited by mail.
  return found.filter((mail) => mail!.kind !== 'member_invited').map((mail) => [mail!.kind, mail!.to.email]);
};
const flags = async (at: Date) => {
  const { items, left_out: leftOut } = await preview(at);
  return [...items, ...leftOut].map((row: { new_since_last_payout: boolean }) => row.new_since_last_payout);
};
const fileOf = async (id: number, at: Date) => {
  const { body: text } = await own.owner.get(`${own.path}/payouts/${id}.csv`, { at });
  const [header, row] = text.split('\r\n');
  const name = 'new_since_last_payout';
  return [name, row!.split(',')[header!.split(',').indexOf(name)]];
};

const known = async (email: string, brand = own): Promise<Person> => {
  const person = await signedInAs(world, email);
  await accepted(person, brand.path);
  return person;
};

const terms = { commission_type: 'percent', commission_rate: 90 };

describe('a member who is not an owner', () => {
  it.each<[string, object]>([
    ['an e-mail address', { email: 'mine@partners.test' }],
    ['an e-mail address among other fields', { name: 'Ana B', email: 'mine@partners.test' }],
    ['the same e-mail address', { email: 'ana@partners.test' }],
    ['an invalid e-mail address', { email: 7 }],
    ['terms', { terms }],
    ['invalid terms', { terms: 'all' }],
    ['empty personal terms', { terms: null }],
    ['a group', { group_id: 1 }],
    ['no group', { group_id: null, status: 'removed' }],
  ])('gets 403 for setting %s of a partner, and nothing changes', async (_, body) => {
    const before = await stored();
    expect((await member.patch(partnerPath, body)).body).toEqual(OWNERS_ONLY);
    expect(await stored()).toEqual(before);
    expect(await mails()).toEqual([]);
  });

  it('can add, rename, remove and restore partners, and can remove an e-mail address', async () => {
    const added = await member.post(`${own.path}/partners`, { name: 'Ben', email: newAddress('ben') });
    expect(added.status).toBe(200);
    const path = `${own.path}/partners/${added.body.data.id}`;
    for (const body of [{ name: 'Ben B', email: null }, { status: 'removed' }, { status: 'active' }]) {
      expect((await member.patch(path, body)).status).toBe(200);
    }
  });

  it('cannot redirect a payout to themselves by changing a partner’s e-mail address', async () => {
    const mine = newAddress('mine');
    await member.patch(partnerPath, { email: mine }, { at: DUE });
    await setDetails(mine, DUE);
    const payout = await pay(hoursAfter(DUE, 1 / 60));
    expect(payout.body.data.items).toMatchObject([{ partner_email: 'ana@partners.test', amount_cents: 980 }]);
    const file = await own.owner.get(`${own.path}/payouts/${payout.body.data.id}.csv`, { at: hoursAfter(DUE, 1 / 60) });
    expect(file.body).not.toContain('me@example.com');
  });
});

describe('an owner’s change of a partner’s e-mail address', () => {
  it('notifies the former e-mail address and holds the partner’s payouts in each program for 72 hours', async () => {
    const { data: other } = (
      await own.owner.post('/programs', {
        name: 'Other',
        domain: 'other.test',
        commission_type: 'percent',
        commission_rate: 10,
      })
    ).body;
    await own.owner.post(`/programs/${other.id}/partners`, { name: 'Ana', email: 'ana@partners.test' });
    const mine = newAddress('mine');
    expect((await own.owner.patch(partnerPath, { email: mine }, { at: DUE })).status).toBe(200);
    expect(await mails()).toEqual([['partner_address_changed', 'ana@partners.test']]);
    const until = hoursAfter(DUE, 72).toISOString();
    for (const id of [own.program.id, other.id]) {
      expect(await world.deps(DUE).table.get(keys.payoutHold(id, own.partner.id))).toMatchObject({
        partnerId: own.partner.id,
        addressHeldUntil: until,
      });
    }
    await setOwnDetails(mine, DUE);
    expect((await partnerAt(DUE)).payout).toMatchObject({ method: 'paypal', held_until: until });
    for (const at of [DUE, hoursAfter(DUE, 71.99)]) {
      expect(await preview(at)).toMatchObject({ items: [], left_out: [{ amount_cents: 980, reason: 'held' }] });
      expect((await pay(at)).body).toEqual(platformError(409, 'No approved commissions to pay out'));
    }
    expect((await pay(hoursAfter(DUE, 72))).body.data.totals).toEqual({ USD: 980 });
  });

  it('puts payouts on hold for its full 72 hours, even if a change of details with a shorter hold follows', async () => {
    const mine = newAddress('mine');
    await own.owner.patch(partnerPath, { email: mine }, { at: DUE });
    const { person } = await setOwnDetails(mine, hoursAfter(DUE, 1));
    await portal(person.token).put(
      '/payout-details',
      { ...paypal, email: 'b@example.com' },
      { at: hoursAfter(DUE, 1) },
    );
    expect(await preview(hoursAfter(DUE, 71))).toMatchObject({
      items: [],
      left_out: [{ amount_cents: 980, reason: 'held' }],
    });
    expect((await partnerAt(DUE)).payout.held_until).toBe(hoursAfter(DUE, 72).toISOString());
    await own.owner.patch(partnerPath, { email: newAddress('third') }, { at: hoursAfter(DUE, 2) });
    expect(await preview(hoursAfter(DUE, 73))).toMatchObject({
      items: [],
      left_out: [{ amount_cents: 980, reason: 'held' }],
    });
    expect(await preview(hoursAfter(DUE, 74))).toMatchObject({ items: [{ amount_cents: 980 }], left_out: [] });
  });

  it('hides the payout details in the file of an older payout for 72 hours', async () => {
    const email = newAddress('ana');
    await own.owner.patch(partnerPath, { email });
    await setOwnDetails(email, NOW);
    const { id } = (await pay(DUE)).body.data;
    const file = (at: Date) => own.owner.get(`${own.path}/payouts/${id}.csv`, { at });
    expect((await file(DUE)).body).toContain('me@example.com');
    await own.owner.patch(partnerPath, { email: newAddress('mine') }, { at: DUE });
    expect((await file(DUE)).body).not.toContain('me@example.com');
    expect((await file(hoursAfter(DUE, 72))).body).toContain('me@example.com');
  });

  it('sends no mail and puts nothing on hold if the address stays the same and only the name changes', async () => {
    await own.owner.patch(partnerPath, { name: 'Ana B', email: 'ana@partners.test' }, { at: DUE });
    expect(await mails()).toEqual([]);
    expect((await pay(DUE)).body.data.totals).toEqual({ USD: 980 });
  });
});

describe('the first payout details of a partner', () => {
  let ana: string;
  beforeEach(async () => {
    ana = newAddress('ana');
    // The address changes long before anything is due.
    await own.owner.patch(partnerPath, { email: ana });
  });
  it('put payouts on hold for 24 hours if a balance is due', async () => {
    await known(ana);
    const { person, reply } = await setDetails(ana, DUE);
    expect(reply).toMatchObject({ status: 200 });
    expect((await partnerAt(DUE)).payout.held_until).toBe(hoursAfter(DUE, 24).toISOString());
    expect(await preview(hoursAfter(DUE, 23.99))).toMatchObject({
      items: [],
      left_out: [{ amount_cents: 980, reason: 'held' }],
    });
    expect((await portal(person.token).get(`/programs/${own.program.id}/balance`, { at: DUE })).body.data.USD).toEqual(
      expect.objectContaining({ approved_cents: 0, held_cents: 980 }),
    );
    expect((await pay(hoursAfter(DUE, 24))).body.data.totals).toEqual({ USD: 980 });
  });

  it('put payouts on hold if a balance is due to the person in another program', async () => {
    const other = await ownedBrand(world);
    await other.owner.patch(`${other.path}/partners/${other.partner.id}`, { email: ana });
    await earned(other, 1, {}, hoursAfter(HOLD_OVER, 1));
    await known(ana, other);
    await setDetails(ana, DUE);
    const { data } = (await other.owner.get(`${other.path}/partners/${other.partner.id}`, { at: DUE })).body;
    expect(data.payout.held_until).toBe(hoursAfter(DUE, 24).toISOString());
  });

  it('put payouts on hold even if the partner’s commissions become due only later', async () => {
    await known(ana);
    // The commission's hold is not over at this time.
    await setDetails(ana, hoursAfter(HOLD_OVER, -1));
    expect((await partnerAt(HOLD_OVER)).payout.held_until).toBe(hoursAfter(HOLD_OVER, 23).toISOString());
    expect(await preview(hoursAfter(HOLD_OVER, 22))).toMatchObject({
      items: [],
      left_out: [{ amount_cents: 980, reason: 'held' }],
    });
    expect(await preview(hoursAfter(HOLD_OVER, 23))).toMatchObject({ items: [{ amount_cents: 980 }], left_out: [] });
  });

  it('put payouts on hold if commissions wait for an owner’s approval', async () => {
    await own.owner.patch(own.path, { auto_approve: false });
    await known(ana);
    await setDetails(ana, DUE);
    const { data: commissions } = (await own.owner.get(`${own.path}/commissions`, { at: DUE })).body;
    expect(commissions).toMatchObject([{ status: 'pending' }]);
    const approved = await member.post(`${own.path}/commissions/${commissions[0].id}/approve`, {}, { at: DUE });
    expect(approved.status).toBe(200);
    expect(await preview(DUE)).toMatchObject({ items: [], left_out: [{ amount_cents: 980, reason: 'held' }] });
  });

  it.each(['accepts, then sets details', 'sets details, then accepts'])(
    'appear in the file of an earlier payout only after the hold that they caused has ended, if the person %s',
    async (order) => {
      const { id } = (await pay(DUE)).body.data;
      const person = await signedInAs(world, ana, DUE);
      const set = () => portal(person.token).put('/payout-details', paypal, { at: DUE });
      const accept = () => accepted(person, own.path, DUE);
      for (const step of order.startsWith('accepts') ? [accept, set] : [set, accept]) await step();
      const file = async (at: Date) => (await own.owner.get(`${own.path}/payouts/${id}.csv`, { at })).body as string;
      const lines = [await file(DUE), await file(hoursAfter(DUE, 23.99)), await file(hoursAfter(DUE, 24))];
      expect(lines.map((text) => text.includes('me@example.com'))).toEqual([false, false, true]);
      expect(lines[0]).toContain(',held,');
    },
  );

  it('put payouts on hold if other details were deleted before', async () => {
    await known(ana);
    const { person } = await setDetails(ana, DUE);
    const later = hoursAfter(DUE, 48);
    await portal(person.token).ask('DELETE', '/payout-details', undefined, { at: later });
    await setDetails(ana, later);
    expect((await partnerAt(later)).payout.held_until).toBe(hoursAfter(later, 24).toISOString());
  });

  it('put nothing on hold if the partner has earned nothing', async () => {
    const email = newAddress('new');
    const added = await own.owner.post(`${own.path}/partners`, { name: 'New', email });
    const { reply } = await setOwnDetails(email, NOW);
    expect(reply.body.data.held_until).toBeUndefined();
    expect((await own.owner.get(`${own.path}/partners/${added.body.data.id}`)).body.data.payout.held_until).toBeNull();
  });
});

describe('the field new_since_last_payout', () => {
  it('is true, in preview and file, for partners who were never paid or whose details changed since their last payment', async () => {
    const email = newAddress('ana');
    await own.owner.patch(partnerPath, { email });
    const { person } = await setOwnDetails(email, NOW);
    expect(await flags(DUE)).toEqual([true]);
    const first = (await pay(DUE)).body.data.id;
    expect(await fileOf(first, DUE)).toEqual(['new_since_last_payout', 'yes']);

    await earned(own, 1, {}, DUE);
    const later = hoursAfter(DUE, 24 * 20);
    expect(await flags(later)).toEqual([false]);
    const second = (await pay(later)).body.data.id;
    expect(await fileOf(second, later)).toEqual(['new_since_last_payout', '']);

    await earned(own, 1, {}, later);
    const again = await signedInAs(world, email, hoursAfter(later, 1));
    expect(again.account.id).toBe(person.account.id);
    const changed = { ...paypal, email: 'b@example.com' };
    await portal(again.token).put('/payout-details', changed, { at: hoursAfter(later, 1) });
    const last = hoursAfter(later, 24 * 20);
    expect(await flags(last)).toEqual([true]);
    const third = (await pay(last)).body.data.id;
    expect(await fileOf(third, last)).toEqual(['new_since_last_payout', 'yes']);
    // The files of earlier payouts show what was new at their time.
    expect(await fileOf(first, last)).toEqual(['new_since_last_payout', 'yes']);

    await earned(own, 1, {}, last);
    await own.owner.patch(partnerPath, { email: newAddress('ana') }, { at: hoursAfter(last, 1) });
    expect(await flags(hoursAfter(last, 24 * 20))).toEqual([true]);
  });
});
