import { beforeEach, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Anyone can click any link and send sign-ups: a rival must not be able to hold a partner's commissions.

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
});
const open = async (settings: object = {}) => {
  own = await ownedBrand(world, { rules: { velocity: 'hold' }, ...settings });
};

const RIVAL = '203.0.113.66';
/** Number of visitors so far, each of whom has a separate network. */
let visitors = 0;
const anyone = () => `198.51.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`;

const origin = () => ({ origin: `https://${own.program.domain}` });
/** A visitor whose browser reports the click. */
async function visit(ip = anyone(), headers: object = origin()): Promise<string> {
  const reply = await send(click, { body: { affiliate_url: own.affiliateUrl }, ip, headers: { ...headers } });
  expect(reply.status).toBe(200);
  return reply.body.click_id;
}
const browserSignup = (clickId: string, ip: string) => send(lead, { body: { click_id: clickId }, ip });

let customers = 0;
/** Makes a customer who clicks, signs up and pays. @returns the commission */
async function customer(ip?: string, headers?: object): Promise<{ status: string; flags: { evidence: string }[] }> {
  const key = `customer_${++customers}`;
  const clickId = await visit(ip, headers);
  await settledLead(own, { click_id: clickId, customer_key: key });
  return sell(key);
}
async function sell(key: string) {
  const { commission_id: id } = await sold(own, { customer_key: key, transaction_id: key });
  const { data } = (await own.owner.get(`${own.path}/commissions`)).body;
  return data.find((one: { id: number }) => one.id === id);
}
const isFree = { status: 'pending', flags: [] };

describe('a rival who sends 12 anonymous clicks and sign-ups through a partner’s link', () => {
  it('causes no honest customer to be held for review if the program accepts leads only from servers', async () => {
    await open();
    for (let n = 0; n < 12; n++) await browserSignup(await visit(RIVAL), RIVAL);
    expect(await customer()).toMatchObject(isFree);
    expect(await world.deps().table.get(keys.agreements(own.program.id))).toBeUndefined();
  });

  it('causes only customers from the rival’s own network to be held if the program accepts leads from browsers', async () => {
    await open({ leadAuth: 'browser_allowed' });
    for (let n = 0; n < 12; n++) await browserSignup(await visit(RIVAL), RIVAL);
    expect(await customer()).toMatchObject(isFree);
    const clickId = await visit(anyone());
    await browserSignup(clickId, RIVAL);
    await sold(own, { click_id: clickId, transaction_id: 'of the rival' });
    const [held] = (await own.owner.get(`${own.path}/commissions?status=held`)).body.data;
    expect(held).toMatchObject({ click_id: clickId });
  });

  it('causes no alert about many clicks for the link, however many clicks the rival sends', async () => {
    await open({ velocityClicks: 10 });
    for (let n = 0; n < 50; n++) await visit(RIVAL);
    await counted(world);
    expect(await customer()).toMatchObject(isFree);
    expect(await world.deps().table.get(keys.agreements(own.program.id))).toBeUndefined();
  });
});

describe('the rule velocity, for many clicks or sign-ups in a short time,', () => {
  it('holds customers from the tenth confirmed sign-up from one network on, with a neutral explanation', async () => {
    await open();
    const honest = [await customer(), await customer(), await customer()];
    const made = [];
    for (let n = 0; n < 8; n++) made.push(await customer(RIVAL));
    expect([...honest, ...made.slice(0, 6)].map(({ status }) => status)).toEqual(Array(9).fill('pending'));
    expect(made.slice(6).map(({ status }) => status)).toEqual(['held', 'held']);
    const [{ evidence } = { evidence: '' }] = made[7]!.flags;
    expect(evidence).toContain('from one network');
    expect(evidence).not.toMatch(/partner|Ana|203\.0/);
    expect(await customer()).toMatchObject(isFree);
  });

  it('compares the network of a customer’s sign-up, even if the first payment comes later', async () => {
    await open();
    const early = await visit(RIVAL);
    await settledLead(own, { click_id: early, customer_key: 'early' });
    for (let n = 0; n < 9; n++) await customer(RIVAL);
    expect(await sell('early')).toMatchObject({ status: 'held' });
  });

  it('ignores clicks that a brand’s server reports, because the visitor’s network is unknown', async () => {
    await open();
    for (let n = 0; n < 12; n++) expect(await customer('192.0.2.1', {})).toMatchObject(isFree);
  });

  it('matches if new visitors from many different networks click a link within one minute', async () => {
    await open({ velocityClicks: 10 });
    for (let n = 0; n < 11; n++) await visit(anyone(), {});
    await counted(world);
    const { status, flags } = await customer();
    expect(status).toBe('held');
    expect(flags[0]!.evidence).toBe(
      'The first click came on 2026-11-20 at 15:00 UTC, when first clicks through its link came from more networks in a minute than the program expects',
    );
  });

  it('stores no IP address, only a hash that cannot be linked without the day’s salt', async () => {
    await open();
    const clickId = await visit(RIVAL);
    const [item] = await world.items(`CUSTOMER#${clickId}`);
    expect(item).toMatchObject({
      firstClickAt: NOW.toISOString(),
      traits: { network: expect.stringMatching(/^.{8}$/) },
    });
    expect(JSON.stringify(item)).not.toContain(RIVAL);
  });
});
