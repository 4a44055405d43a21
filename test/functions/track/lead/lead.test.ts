import { beforeAll, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import {
  browserLead,
  changeLink,
  changeProgram,
  clicked,
  removePartner,
  settledLead,
  signedUp,
  sold,
} from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let open: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  open = await world.brand({ leadAuth: 'browser_allowed' });
});

const LATER = new Date(NOW.getTime() + 3_600_000);
const headers = { ...countedHeaders(30, 1, LATER), Vary: 'Origin' };
const settled = { success: true, message: 'Lead tracked successfully' };
const provisional = {
  success: true,
  provisional: true,
  message: 'Lead recorded as provisional. Send a server-side lead to settle it.',
};
const statusRefused = (status: string) => ({
  status: 400,
  headers,
  body: platformError(400, `Customer status cannot be updated to lead. Current status: ${status}`),
});

/** The customer and the lead of a click. */
async function history(clickId: string) {
  const items = await world.items(`CUSTOMER#${clickId}`);
  return { customer: items.find(({ sk }) => sk === 'CUSTOMER'), lead: items.find(({ sk }) => sk === 'LEAD') };
}

const leadItem = ({ program, partner, shortLink }: Brand, clickId: string, rest: object) => ({
  pk: `CUSTOMER#${clickId}`,
  sk: 'LEAD',
  id: expect.any(Number),
  clickId,
  programId: program.id,
  partnerId: partner.id,
  shortLink,
  createdAt: LATER.toISOString(),
  gsi1pk: `PROGRAM#${program.id}#EVENTS#lead`,
  gsi1sk: expect.stringMatching(/^2026-11-20T16:00:00\.000Z#\d+$/),
  ...rest,
});

/** The customer's entry in its partner's list, at the time of its lead. */
const listedAt = ({ program, partner }: Brand) => ({
  gsi2pk: `PARTNER#${program.id}#${partner.id}#CUSTOMERS`,
  gsi2sk: expect.stringMatching(/^2026-11-20T16:00:00\.000Z#\d+$/),
});

const signedUpAt = (at: Date) => ({ status: 'lead', leadState: 'settled', signupAt: at.toISOString() });

describe.each([
  { mode: 'server', policy: 'server_required', brandOf: () => brand, keyOf: () => brand.key },
  { mode: 'server', policy: 'browser_allowed', brandOf: () => open, keyOf: () => open.key },
  { mode: 'browser', policy: 'browser_allowed', brandOf: () => open, keyOf: () => undefined },
] as const)('a lead sent by a $mode in a program with lead_auth $policy', ({ mode, brandOf, keyOf }) => {
  it('gives the customer the status lead, and stores the customer’s key', async () => {
    const clickId = await clicked(brandOf());
    const { customer: before } = await history(clickId);
    const customerKey = `user of ${clickId}`;
    const body = { click_id: clickId, customer_key: customerKey };
    const reply = await send(lead, { key: keyOf(), at: LATER, body });
    expect(reply).toEqual({ status: 200, headers, body: settled });

    // A key bound by a browser is marked as not confirmed by a server.
    const mark = mode === 'browser' ? { keyBoundBy: mode } : {};
    expect(await history(clickId)).toEqual({
      customer: {
        ...before,
        expires_at: undefined,
        ...signedUpAt(LATER),
        customerKey,
        ...mark,
        ...listedAt(brandOf()),
      },
      lead: leadItem(brandOf(), clickId, { state: 'settled', mode }),
    });
    expect(await world.items(`KEY#${customerKey}`)).toEqual([
      {
        pk: `KEY#${customerKey}`,
        sk: `PROGRAM#${brandOf().program.id}`,
        clickId,
        programId: brandOf().program.id,
        partnerId: brandOf().partner.id,
        shortLink: brandOf().shortLink,
        customerKey,
        firstClickAt: NOW.toISOString(),
        ...signedUpAt(LATER),
        ...mark,
      },
    ]);
  });

  it('needs no customer_key if it has a click id', async () => {
    const clickId = await clicked(brandOf());
    const { customer: before } = await history(clickId);
    await send(lead, { key: keyOf(), at: LATER, body: { click_id: clickId } });
    expect((await history(clickId)).customer).toEqual({
      ...before,
      expires_at: undefined,
      ...signedUpAt(LATER),
      ...listedAt(brandOf()),
    });
  });

  it.each([
    ['a settled lead', 'lead'],
    ['a sale', 'conversion'],
  ])('is refused with 400 if the customer already has %s', async (_, status) => {
    const clickId = await signedUp(brandOf(), `${mode} ${status} ${brandOf().program.id}`);
    if (status === 'conversion') await sold(brandOf(), { transaction_id: `of ${clickId}`, click_id: clickId });
    const before = await world.items(`CUSTOMER#${clickId}`);
    const again = { click_id: clickId, customer_key: 'another' };
    expect(await send(lead, { key: keyOf(), at: LATER, body: again })).toEqual(statusRefused(status));
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
    expect(await world.items('KEY#another')).toEqual([]);
  });
});

describe('a settled lead, one that is not provisional,', () => {
  it('is stored with all fields that the request sent', async () => {
    const clickId = await clicked(brand);
    const body = {
      click_id: clickId,
      page_url: 'https://brand.test/join',
      session_id: 's1',
      event_name: 'signup',
      click_ids: ['a', 7, ...Array.from({ length: 30 }, (_, index) => `c${index}`)],
    };
    await settledLead(brand, body, { at: LATER });
    expect((await history(clickId)).lead).toEqual(
      leadItem(brand, clickId, {
        state: 'settled',
        mode: 'server',
        pageUrl: 'https://brand.test/join',
        sessionId: 's1',
        eventName: 'signup',
        otherClickIds: ['a', ...Array.from({ length: 19 }, (_, index) => `c${index}`)],
      }),
    );
  });

  it('does not replace a customer key that the customer already has', async () => {
    const clickId = await clicked(brand);
    const { table } = world.deps();
    const own = keys.customerKey('own', brand.program.id);
    await table.update(keys.customer(clickId), { set: { customerKey: 'own' } });
    await table.put(own, { clickId, status: 'click' });
    await settledLead(brand, { click_id: clickId, customer_key: 'another of it' });
    expect((await history(clickId)).customer).toMatchObject({ status: 'lead', customerKey: 'own' });
    expect(await world.items(own.pk)).toEqual([expect.objectContaining({ clickId, status: 'lead' })]);
    expect(await world.items('KEY#another of it')).toEqual([]);
  });

  it('has the event_name from additional_data if the top-level one is absent', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, additional_data: { event_name: 'trial' } });
    expect((await history(clickId)).lead).toMatchObject({ eventName: 'trial' });
  });

  it('is recorded even if the partner was removed or the link is switched off', async () => {
    const left = await world.brand();
    const clickId = await clicked(left);
    await changeLink(world, left, { status: 'inactive', partnerRemoved: true });
    await removePartner(world, left);
    await settledLead(left, { click_id: clickId });
    expect((await history(clickId)).customer).toMatchObject({ status: 'lead' });
  });

  it.each([
    ['no token', 'Bearer'],
    ['a blank token', 'Bearer   '],
    ['another scheme', 'Basic eDp5'],
    ['another case', 'bearer x'],
  ])('is handled as a browser’s if its Authorization header has %s', async (_, authorization) => {
    const request = { at: LATER, headers: { authorization } };
    const required = await send(lead, { ...request, body: { click_id: await clicked(brand) } });
    expect(required.body).toEqual(provisional);
    const allowed = await send(lead, { ...request, body: { click_id: await clicked(open) } });
    expect(allowed.body).toEqual(settled);
  });
});

describe('a provisional lead, which a browser sends in a program with lead_auth server_required,', () => {
  it('is stored as its own item, and the customer is only marked as having a provisional lead', async () => {
    const clickId = await clicked(brand);
    const { customer: before } = await history(clickId);
    const body = { click_id: clickId, customer_key: 'claimed' };
    expect(await send(lead, { at: LATER, body })).toEqual({ status: 200, headers, body: provisional });

    expect(await history(clickId)).toEqual({
      customer: { ...before, expires_at: undefined, leadState: 'provisional', ...listedAt(brand) },
      lead: leadItem(brand, clickId, { state: 'provisional', mode: 'browser', claimedKey: 'claimed' }),
    });
    expect(await world.items('KEY#claimed')).toEqual([]);
  });

  it('gets the same reply if it is sent again, and then nothing is written', async () => {
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId });
    const before = await world.items(`CUSTOMER#${clickId}`);
    const repeat = { click_id: clickId, customer_key: 'later', email: 'later@example.com', event_name: 'x' };
    expect(await send(lead, { at: LATER, body: repeat })).toEqual({ status: 200, headers, body: provisional });
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
  });

  it('is settled by a lead with the program key, which keeps the provisional lead’s id and time and adds the new data', async () => {
    const clickId = await clicked(brand);
    const sent = { event_name: 'signup', page_url: 'https://brand.test/join', session_id: 's1' };
    await browserLead({ click_id: clickId, customer_key: 'p1', ...sent }, { at: LATER });
    const before = await history(clickId);
    const at = new Date(LATER.getTime() + 1_000);
    await settledLead(brand, { click_id: clickId, customer_key: 'p1', event_name: 'confirmed' }, { at });
    expect(await history(clickId)).toEqual({
      customer: { ...before.customer, ...signedUpAt(at), customerKey: 'p1' },
      lead: { ...before.lead, state: 'settled', mode: 'server', eventName: 'confirmed' },
    });
    expect(await world.items('KEY#p1')).toMatchObject([{ clickId, ...signedUpAt(at) }]);
  });

  it('loses the customer key that the browser claimed if the settling lead has no key', async () => {
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId, customer_key: 'only claimed' });
    await settledLead(brand, { click_id: clickId });
    expect((await history(clickId)).customer).not.toHaveProperty('customerKey');
    expect(await world.items('KEY#only claimed')).toEqual([]);
  });

  it('is settled by a browser’s lead once the program accepts leads from browsers', async () => {
    const changed = await world.brand();
    const clickId = await clicked(changed);
    await browserLead({ click_id: clickId });
    await changeProgram(world, changed, { leadAuth: 'browser_allowed' });
    expect((await send(lead, { at: LATER, body: { click_id: clickId } })).body).toEqual(settled);
  });

  it('stays provisional after a sale, and later leads are refused from the server and from browsers', async () => {
    const clickId = await clicked(brand);
    await browserLead({ click_id: clickId });
    await sold(brand, { transaction_id: 'provisional', click_id: clickId });
    expect(await history(clickId)).toMatchObject({
      customer: { status: 'conversion', leadState: 'provisional' },
      lead: { state: 'provisional' },
    });
    for (const key of [brand.key, undefined]) {
      expect(await send(lead, { key, at: LATER, body: { click_id: clickId } })).toEqual(statusRefused('conversion'));
    }
  });
});

describe('a second lead of a customer with a settled lead is refused with 400 in a server_required program', () => {
  it('even if a browser sends the lead', async () => {
    const clickId = await signedUp(brand, 'settled then browser');
    expect(await send(lead, { at: LATER, body: { click_id: clickId } })).toEqual(statusRefused('lead'));
  });
});
