import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enterAs, newPerson, type Person } from '#test/browser/support/dashboard.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Two owners have the same form open. Whoever saves second is told, and decides.

const PROGRAM = '/programs/1';
const ANA = `${PROGRAM}/partners/1`;

const { service, browser } = await openService();
let ours: Person;
let kims: Person;

/** A call of somebody else than the owner. */
async function sent(path: string, body: unknown, token?: string) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

const KIM = 'kim@acme.test';
const terms = { commission_type: 'recurring_percent', commission_rate: 30, duration_months: 12 };

/** Kim is an owner, too. */
async function invite(): Promise<void> {
  const { id } = (await service.dashboard('GET', '/workspace')).data;
  await service.dashboard('POST', '/workspace/members', { email: KIM, role: 'owner' });
  const { id_token } = await sent('/local/oidc/token', { email: KIM });
  const { data } = await sent('/api/dashboard/v1/session', { id_token });
  await sent('/api/dashboard/v1/workspace/join', { workspace_id: id }, data.token);
}

async function signedIn(email: string): Promise<Person> {
  const person = await newPerson(browser, service.url, lookingOptions);
  await enterAs(person.page, email, PROGRAM);
  await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  return person;
}

beforeAll(async () => {
  await invite();
  await service.dashboard('POST', `${PROGRAM}/groups`, { name: 'Creators', terms });
  await service.dashboard('POST', `${PROGRAM}/codes`, { partner_id: 1, code: 'SAVE10' });
  await service.dashboard('POST', `${PROGRAM}/webhooks`, { url: 'http://127.0.0.1:9/hooks' });
  const { click_id } = await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  const sale = { transaction_id: 'in_1', customer_key: 'user_1', click_id, amount_cents: 4_900, currency: 'USD' };
  const { commission_id: id } = await service.track('sale', sale);
  await service.dashboard('POST', `${PROGRAM}/commissions/${id}/approve`);
  await service.dashboard('POST', `${PROGRAM}/payouts`, {});
  [ours, kims] = await Promise.all([signedIn(service.demo.owner_email), signedIn(KIM)]);
});

const read = async (path: string) => (await service.dashboard('GET', path)).data;
const firstOf = async (path: string) => (await read(path))[0];
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

interface Scene {
  readonly form: string;
  readonly path: () => Promise<string> | string;
  /** Opens it. */
  readonly open?: (page: Page) => Promise<void>;
  /** A field of it, and what each of us enters there. */
  readonly label: string;
  readonly theirs: string;
  readonly mine: string;
  readonly again: string;
  /** How theirs is told. */
  readonly told: string;
  readonly save: string;
  /** What is stored. */
  readonly stored: () => Promise<unknown>;
  /** As it is stored, if otherwise than entered. */
  readonly as?: (entered: string) => unknown;
  /** Another field, which only one of us changes. */
  readonly other?: readonly [label: string, entered: string];
  readonly storedOther?: () => Promise<unknown>;
}

const settings = `${PROGRAM}/settings`;
const asNumber = Number;
const asList = (entered: string) => [entered];

const scenes: readonly Scene[] = [
  {
    form: 'the program',
    path: () => settings,
    label: 'Rate',
    theirs: '22',
    mine: '25',
    again: '26',
    told: 'Commission rate to 22',
    save: 'Save changes',
    stored: async () => (await read(PROGRAM)).commission_rate,
    as: asNumber,
    other: ['Minimum payout', '50'],
    storedOther: async () => String((await read(PROGRAM)).minimum_payout_cents / 100),
  },
  {
    form: 'the rules for partners',
    path: () => settings,
    label: 'Terms for partners',
    theirs: 'No spam.',
    mine: 'No ads.',
    again: 'No ads, please.',
    told: 'Partner terms to No spam.',
    save: 'Save rules for partners',
    stored: async () => (await read(PROGRAM)).partner_terms,
    other: ['Links that a partner may make', '9'],
    storedOther: async () => String((await read(PROGRAM)).links_per_partner),
  },
  {
    form: 'the rules',
    path: () => settings,
    label: 'Networks in a minute',
    theirs: '60',
    mine: '70',
    again: '80',
    told: 'Velocity clicks to 60',
    save: 'Save rules',
    stored: async () => (await read(PROGRAM)).velocity_clicks,
    as: asNumber,
    other: ['Banned sites', 'spam.test'],
    storedOther: async () => (await read(PROGRAM)).banned_referrers[0],
  },
  {
    form: "the owner's own clicks",
    path: () => settings,
    label: 'Ignored addresses',
    theirs: '203.0.113.7',
    mine: '203.0.113.8',
    again: '203.0.113.9',
    told: 'Ignored addresses to 203.0.113.7',
    save: 'Save addresses',
    stored: async () => (await read(PROGRAM)).ignored_addresses,
    as: asList,
  },
  {
    form: 'a group',
    path: () => settings,
    open: (page) => press(page, /^Edit /),
    label: 'Name',
    theirs: 'Theirs',
    mine: 'Mine',
    again: 'Mine again',
    told: 'Name to Theirs',
    save: 'Save changes',
    stored: async () => (await firstOf(`${PROGRAM}/groups`)).name,
    other: ['Hold', '30'],
    storedOther: async () => String((await firstOf(`${PROGRAM}/groups`)).terms.hold_period_days),
  },
  {
    form: 'the terms of a group',
    path: () => settings,
    open: (page) => press(page, /^Edit /),
    label: 'Rate',
    theirs: '33',
    mine: '44',
    again: '45',
    told: 'Terms to 33% of each sale, renewals for 12 months',
    save: 'Save changes',
    stored: async () => (await firstOf(`${PROGRAM}/groups`)).terms.commission_rate,
    as: asNumber,
    other: ['Name', 'Renamed'],
    storedOther: async () => (await firstOf(`${PROGRAM}/groups`)).name,
  },
  {
    form: 'a partner',
    path: () => ANA,
    open: (page) => press(page, 'Edit'),
    label: 'Name',
    theirs: 'Anna',
    mine: 'Ann',
    again: 'Annie',
    told: 'Name to Anna',
    save: 'Save changes',
    stored: async () => (await read(ANA)).name,
    other: ['E-mail', 'anna@partners.test'],
    storedOther: async () => (await read(ANA)).email,
  },
  {
    form: 'the terms of a partner',
    path: () => ANA,
    async open(page) {
      await press(page, 'Change terms');
      await page.getByRole('combobox', { name: 'Terms' }).selectOption('For this partner alone');
    },
    label: 'Rate',
    theirs: '33',
    mine: '44',
    again: '45',
    told: 'Terms to 33% of each sale, renewals included',
    save: 'Save terms',
    stored: async () => (await read(ANA)).terms.commission_rate,
    as: asNumber,
  },
  {
    form: 'a code',
    path: () => `${PROGRAM}/codes`,
    open: (page) => press(page, 'Name the promotion code at Stripe of SAVE10'),
    label: 'Promotion code at Stripe',
    theirs: 'promo_theirs',
    mine: 'promo_mine',
    again: 'promo_again',
    told: 'Stripe id to promo_theirs',
    save: 'Save',
    stored: async () => (await firstOf(`${PROGRAM}/codes`)).processor_code_id,
  },
  {
    form: 'a webhook endpoint',
    path: async () => `${PROGRAM}/webhooks/${(await firstOf(`${PROGRAM}/webhooks`)).id}`,
    open: (page) => press(page, 'Edit'),
    label: 'Description',
    theirs: 'Theirs',
    mine: 'Mine',
    again: 'Mine again',
    told: 'Description to Theirs',
    save: 'Save changes',
    stored: async () => (await firstOf(`${PROGRAM}/webhooks`)).description,
    other: ['Address', 'http://127.0.0.1:9/others'],
    storedOther: async () => (await firstOf(`${PROGRAM}/webhooks`)).url,
  },
  {
    form: 'the reference of a payout',
    path: async () => `${PROGRAM}/payouts/${(await firstOf(`${PROGRAM}/payouts`)).id}`,
    label: "Bank's or processor's reference",
    theirs: 'SEPA theirs',
    mine: 'SEPA mine',
    again: 'SEPA again',
    told: 'Reference to SEPA theirs',
    save: 'Save reference',
    stored: async () => (await firstOf(`${PROGRAM}/payouts`)).reference,
  },
];

describe.each(scenes)('$form', (scene) => {
  const { path, open, label, theirs, mine, again, told, save, stored, as = String, other, storedOther } = scene;

  /** Other forms of the page may have such a field or button, too. */
  const form = (page: Page) => (open ? page.getByRole('dialog') : page.locator('main'));
  const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true });
  const pressSave = (page: Page) => form(page).getByRole('button', { name: save, exact: true }).click();

  /** Both have opened the form; Kim has saved. */
  async function bothOpened(entered: string): Promise<Page> {
    const url = await path();
    for (const { page } of [kims, ours]) {
      await page.goto(url);
      await open?.(page);
      await field(page, label).waitFor();
    }
    await field(kims.page, label).fill(theirs);
    await pressSave(kims.page);
    await expect.poll(stored).toEqual(as(theirs));
    await field(ours.page, label).fill(entered);
    return ours.page;
  }
  const notice = (page: Page) => page.getByRole('alert').getByText(`kim changed ${told} a minute ago`, { exact: true });

  it('keeps what is typed, and takes it where the person says so', async () => {
    const page = await bothOpened(mine);
    await pressSave(page);
    await notice(page).waitFor();
    expect(await field(page, label).inputValue()).toBe(mine);
    expect(await stored()).toEqual(as(theirs));
    await page.getByRole('button', { name: /^Use mine/ }).click();
    await expect.poll(stored).toEqual(as(mine));
    await notice(page).waitFor({ state: 'detached' });
  });

  it('keeps theirs, and the rest of what is typed', async () => {
    const page = await bothOpened(again);
    if (other) await field(page, other[0]).fill(other[1]);
    await pressSave(page);
    await notice(page).waitFor();
    await page.getByRole('button', { name: /^Keep theirs/ }).click();
    await notice(page).waitFor({ state: 'detached' });
    // A dialog closes when all is saved.
    const shown = open ? theirs : await field(page, label).inputValue();
    expect(shown).toBe(theirs);
    await expect.poll(async () => storedOther?.()).toBe(other?.[1]);
    expect(await stored()).toEqual(as(theirs));
  });
});

describe('what a form sends', () => {
  it('is what the person has changed, and what they saw', async () => {
    const { page } = ours;
    await page.goto(settings);
    const { rules, attribution_window_days: days } = await read(PROGRAM);
    await page.getByLabel('Attribution window').fill('45');
    const sending = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save changes');
    expect((await sending).postDataJSON()).toEqual({
      attribution_window_days: 45,
      seen: { attribution_window_days: days },
    });
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Self-referral').selectOption('hold');
    const again = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save rules');
    expect((await again).postDataJSON()).toEqual({ rules: { self_referral: 'hold' }, seen: { rules } });
  });

  it('of a new group begins with the present terms of the program', async () => {
    const { page } = ours;
    await page.goto(settings);
    await service.dashboard('PATCH', PROGRAM, { ...terms, commission_rate: 17, hold_period_days: 21 });
    await press(page, 'Add group');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Writers');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.waitFor({ state: 'detached' });
    const groups = await read(`${PROGRAM}/groups`);
    expect(groups.at(-1)).toMatchObject({
      name: 'Writers',
      terms: { ...terms, commission_rate: 17, hold_period_days: 21 },
    });
  });
});

const at = () => new URL(ours.page.url()).pathname;
const enter = () => ours.page.getByLabel('Attribution window').fill('50');

describe('what is entered and not saved', () => {
  /** What the person says to the next questions. */
  let says: 'leave' | 'stay';
  let asked: string[];
  beforeAll(async () => {
    // The forms above have nearly used up what one session may ask for in a minute.
    ours = await signedIn(service.demo.owner_email);
    ours.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (says === 'leave' ? dialog.accept() : dialog.dismiss());
    });
  });
  beforeEach(async () => {
    asked = [];
    says = 'leave';
    await ours.page.goto(PROGRAM);
    await ours.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await ours.page.getByLabel('Attribution window').waitFor();
    asked = [];
    says = 'stay';
  });
  it.each([
    ['a link', () => ours.page.getByRole('link', { name: 'Codes', exact: true }).click(), `${PROGRAM}/codes`],
    ['the way back', () => ours.page.evaluate(() => history.back()), PROGRAM],
  ])('is asked about before %s leads away', async (_, leave, place) => {
    await enter();
    await leave();
    await expect.poll(() => asked).toEqual(['confirm']);
    await expect.poll(at).toBe(settings);
    expect(await ours.page.getByLabel('Attribution window').inputValue()).toBe('50');
    says = 'leave';
    await leave();
    await expect.poll(at).toBe(place);
    await expect.poll(() => asked).toEqual(['confirm', 'confirm']);
  });

  it('is asked about before the tab closes', async () => {
    await enter();
    says = 'leave';
    await ours.page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  it('is not asked about when it is entered back, or saved', async () => {
    await enter();
    await ours.page.getByLabel('Attribution window').fill('45');
    await ours.page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(at).toBe(`${PROGRAM}/codes`);
    await ours.page.goBack();
    await ours.page.getByLabel('Links that a partner may make').fill('11');
    await press(ours.page, 'Save rules for partners');
    await ours.page.getByText('Saved.').waitFor();
    await ours.page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(at).toBe(`${PROGRAM}/codes`);
    expect(asked).toEqual([]);
  });

  it.each([
    ['its button', () => press(ours.page, 'Close')],
    ['the button of the form', () => press(ours.page, 'Cancel')],
    ['Escape', () => ours.page.keyboard.press('Escape')],
  ])('of a dialog is asked about before %s closes it', async (_, close) => {
    const dialog = ours.page.getByRole('dialog');
    await press(ours.page, 'Edit Writers');
    await close();
    await dialog.waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
    await press(ours.page, 'Edit Writers');
    await dialog.getByLabel('Name').fill('Others');
    for (let times = 1; times <= 3; times++) {
      await close();
      await expect.poll(() => asked.length).toBe(times);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Others');
    }
    says = 'leave';
    await close();
    await dialog.waitFor({ state: 'detached' });
  });
});

it('the notice of what somebody else has changed can be read in every width', async () => {
  const { page } = ours;
  const findings = await findingsOn(ours, {
    name: 'dashboard-conflict',
    path: settings,
    async act() {
      await page.getByLabel('Attribution window').fill('50');
      await page.getByLabel('Hold', { exact: true }).fill('12');
      await service.dashboard('PATCH', PROGRAM, { attribution_window_days: 60, hold_period_days: 13 });
      await press(page, 'Save changes');
      await page.getByRole('button', { name: 'Keep theirs: Attribution window' }).waitFor();
    },
  });
  expect(findings).toEqual([]);
  await press(page, 'Keep theirs: Attribution window');
  await press(page, 'Use mine: Hold period');
  await expect.poll(() => read(PROGRAM)).toMatchObject({ attribution_window_days: 60, hold_period_days: 12 });
});
