import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Two users have the same form open. The second to save sees the conflict and decides.

const PROGRAM = '/programs/1';
const ANA = `${PROGRAM}/partners/1`;
const settings = `${PROGRAM}/settings`;
const termsPage = `${settings}/terms`;

const { service, person, page } = await openService(lookingOptions);

const terms = { commission_type: 'recurring_percent', commission_rate: 30, duration_months: 12 };

const signIn = () => enterAs(page, service.demo.owner_email, termsPage);

beforeAll(async () => {
  await service.dashboard('POST', `${PROGRAM}/groups`, { name: 'Creators', terms });
  await service.dashboard('POST', `${PROGRAM}/webhooks`, { url: 'http://127.0.0.1:9/hooks' });
  const { click_id } = await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  const sale = { transaction_id: 'in_1', customer_key: 'user_1', click_id, amount_cents: 4_900, currency: 'USD' };
  const { commission_id: id } = await service.track('sale', sale);
  await service.dashboard('POST', `${PROGRAM}/commissions/${id}/approve`);
  await service.dashboard('POST', `${PROGRAM}/payouts`, {});
  await signIn();
});

const read = async (path: string) => (await service.dashboard('GET', path)).data;
const firstOf = async (path: string) => (await read(path))[0];
const press = (tab: Page, name: string | RegExp) => tab.getByRole('button', { name, exact: true }).click();
const notice = (tab: Page, told: string) =>
  tab.getByRole('alert').getByText(`owner changed ${told} a minute ago`, { exact: true });

const rate = async () => (await read(PROGRAM)).commission_rate;

it('a user who saves a value in a second tab can choose between that value and the one saved in the first', async () => {
  const theirs = await page.context().newPage();
  await theirs.goto(termsPage);
  const save = async (tab: Page, entered: string) => {
    await tab.getByLabel('Rate', { exact: true }).fill(entered);
    await press(tab, 'Save terms');
    await press(tab, 'Change terms');
  };
  await save(theirs, '22');
  await expect.poll(rate).toBe(22);
  await save(page, '25');
  await notice(page, 'Commission rate to 22').waitFor();
  expect([await page.getByLabel('Rate', { exact: true }).inputValue(), await rate()]).toEqual(['25', 22]);
  await press(page, /^Use mine/);
  await press(page, 'Change terms');
  await expect.poll(rate).toBe(25);

  await theirs.getByLabel('Renewals are paid by').selectOption('The terms of the first sale');
  await save(theirs, '26');
  await notice(theirs, 'Commission rate to 25').waitFor();
  await press(theirs, /^Keep theirs/);
  await notice(theirs, 'Commission rate to 25').waitFor({ state: 'detached' });
  expect(await theirs.getByLabel('Rate', { exact: true }).inputValue()).toBe('25');
  await expect.poll(() => read(PROGRAM)).toMatchObject({ commission_rate: 25, terms_apply: 'first_sale' });
  await theirs.close();
});

it('a new tab gets the session of another tab, even if that tab replies late', async () => {
  const tab = await page.context().newPage();
  // The tab stops waiting at once, and listens again only when the installation has been loaded.
  await tab.addInitScript(() => {
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = ((run: () => void, ms?: number) =>
      wait(run, ms !== undefined && ms < 1_000 ? 0 : ms)) as typeof setTimeout;
    new BroadcastChannel('login').addEventListener('message', () => {
      document.documentElement.dataset.isAnswered = 'true';
    });
  });
  const answered = Promise.withResolvers<void>();
  await tab.route('**/config.json', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await tab.goto(termsPage);
  await tab.locator('html[data-is-answered]').waitFor();
  answered.resolve();
  await tab.getByLabel('Rate', { exact: true }).waitFor();
  await tab.close();
});

interface Scene {
  readonly form: string;
  readonly path: () => Promise<string> | string;
  /** Opens the form, if it is not on the page. */
  readonly open?: () => Promise<void>;
  readonly label: string;
  readonly mine: string;
  /** Another user's change in the meantime, and its description. */
  readonly change: readonly [path: () => Promise<string> | string, fields: object];
  readonly told: string;
  readonly save: string;
}

const payout = async () => `${PROGRAM}/payouts/${(await firstOf(`${PROGRAM}/payouts`)).id}`;
const endpoint = async () => `${PROGRAM}/webhooks/${(await firstOf(`${PROGRAM}/webhooks`)).id}`;
const group = async () => `${PROGRAM}/groups/${(await firstOf(`${PROGRAM}/groups`)).id}`;

const scenes: readonly Scene[] = [
  {
    form: 'the rules',
    path: () => `${settings}/rules`,
    label: 'Networks in a minute',
    mine: '70',
    change: [() => PROGRAM, { velocity_clicks: 60 }],
    told: 'Velocity clicks to 60',
    save: 'Save rules',
  },
  {
    form: 'the terms of a group',
    path: () => termsPage,
    open: () => press(page, /^Edit /),
    label: 'Rate',
    mine: '44',
    change: [group, { terms: { ...terms, commission_rate: 33 } }],
    told: 'Terms to 33% of each sale, renewals for 12 months',
    save: 'Save changes',
  },
  {
    form: 'a partner',
    path: () => ANA,
    open: () => press(page, 'Edit'),
    label: 'Name',
    mine: 'Ann',
    change: [() => ANA, { name: 'Anna' }],
    told: 'Name to Anna',
    save: 'Save changes',
  },
  {
    form: 'a webhook endpoint',
    path: endpoint,
    open: () => press(page, 'Edit'),
    label: 'Description',
    mine: 'Mine',
    change: [endpoint, { description: 'Theirs' }],
    told: 'Description to Theirs',
    save: 'Save changes',
  },
  {
    form: 'the reference of a payout',
    path: payout,
    label: "Bank's or processor's reference",
    mine: 'SEPA mine',
    change: [payout, { reference: 'SEPA theirs' }],
    told: 'Reference to SEPA theirs',
    save: 'Save reference',
  },
];

// All forms use one component (lib/apps/web/parts/forms/edit-form.tsx); each scene adds where to find the fields.
it.each(scenes)(
  'the form for $form reports that another user changed the value, and overwrites that change if the user confirms',
  async (scene) => {
    const { path, open, label, mine, change, told, save } = scene;
    const url = await path();
    if (new URL(page.url()).pathname !== url) await page.goto(url);
    await open?.();
    const form = open ? page.getByRole('dialog') : page.locator('main');
    await form.getByLabel(label, { exact: true }).waitFor();
    const [place, fields] = change;
    const changed = await place();
    await service.dashboard('PATCH', changed, fields);
    await form.getByLabel(label, { exact: true }).fill(mine);
    const button = form.getByRole('button', { name: save, exact: true });
    await button.click();
    await notice(page, told).waitFor();
    const sending = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, /^Use mine/);
    const sent = await sending;
    const { seen, ...rest } = sent.postDataJSON();
    expect(seen).toMatchObject(fields);
    expect(JSON.stringify(rest)).toContain(mine);
    expect((await sent.response())!.status()).toBe(200);
    await notice(page, told).waitFor({ state: 'detached' });
  },
);

it('a form sends the changed values together with the former values that the user saw', async () => {
  await page.goto(`${settings}/rules`);
  const { rules } = await read(PROGRAM);
  await page.getByLabel('Self-referral').selectOption('hold');
  const sending = page.waitForRequest((request) => request.method() === 'PATCH');
  await press(page, 'Save rules');
  expect((await sending).postDataJSON()).toEqual({ rules: { self_referral: 'hold' }, seen: { rules } });
});

const at = () => new URL(page.url()).pathname;
const enter = () => page.getByLabel('Attribution window').fill('50');
const tracking = `${settings}/tracking`;

describe('unsaved input in a form', () => {
  /** How the user answers the next confirmations. */
  let says: 'leave' | 'stay';
  let asked: string[];
  beforeAll(async () => {
    // The forms above have nearly used up the session's requests per minute.
    await signIn();
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (says === 'leave' ? dialog.accept() : dialog.dismiss());
    });
  });
  beforeEach(async () => {
    asked = [];
    says = 'leave';
    await page.goto(settings);
    await page.getByRole('link', { name: 'Tracking', exact: true }).click();
    await page.getByLabel('Attribution window').waitFor();
    asked = [];
    says = 'stay';
  });

  it('makes a link, the back button and closing the tab ask for confirmation', async () => {
    await enter();
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(() => asked).toEqual(['confirm']);
    await page.evaluate(() => history.back());
    await expect.poll(() => asked).toEqual(['confirm', 'confirm']);
    await expect.poll(at).toBe(tracking);
    expect(await page.getByLabel('Attribution window').inputValue()).toBe('50');
    says = 'leave';
    await page.evaluate(() => history.back());
    await expect.poll(at).toBe(settings);
    await page.getByRole('link', { name: 'Tracking', exact: true }).click();
    await enter();
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(at).toBe(`${PROGRAM}/codes`);
    await page.goBack();
    await enter();
    await page.reload();
    expect(asked.slice(2)).toEqual(['confirm', 'confirm', 'beforeunload']);
  });

  it('needs no confirmation once it is undone or saved', async () => {
    const before = await page.getByLabel('Attribution window').inputValue();
    await enter();
    await page.getByLabel('Attribution window').fill(before);
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(at).toBe(`${PROGRAM}/codes`);
    await page.goBack();
    await enter();
    await press(page, 'Save tracking');
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await expect.poll(at).toBe(`${PROGRAM}/codes`);
    expect(asked).toEqual([]);
  });

  it('makes the buttons and Escape of a dialog ask for confirmation', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: 'Terms', exact: true }).click();
    await press(page, 'Edit Creators');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
    await press(page, 'Edit Creators');
    await dialog.getByLabel('Name').fill('Others');
    const ways = [
      () => press(page, 'Close'),
      () => press(page, 'Cancel'),
      () => page.keyboard.press('Escape'),
      () => page.keyboard.press('Escape'),
      () => page.keyboard.press('Escape'),
    ];
    for (const [index, close] of ways.entries()) {
      await close();
      await expect.poll(() => asked.length).toBe(index + 1);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Others');
    }
    says = 'leave';
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

it('the notice that another user changed the value passes the accessibility checks at every width', async () => {
  const findings = await findingsOn(person, {
    name: 'dashboard-conflict',
    path: termsPage,
    async act() {
      await page.getByLabel('Per signup').fill('7');
      await page.getByLabel('Hold', { exact: true }).fill('12');
      await service.dashboard('PATCH', PROGRAM, { lead_commission_cents: 600, hold_period_days: 13 });
      await press(page, 'Save terms');
      await press(page, 'Change terms');
      await page.getByRole('button', { name: 'Keep theirs: Lead commission' }).waitFor();
    },
  });
  expect(findings).toEqual([]);
  await press(page, 'Keep theirs: Lead commission');
  await press(page, 'Use mine: Hold period');
  await press(page, 'Change terms');
  await expect.poll(() => read(PROGRAM)).toMatchObject({ lead_commission_cents: 600, hold_period_days: 12 });
});
