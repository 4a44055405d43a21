import { beforeAll, describe, expect, it } from 'vitest';
import { dateText } from '#lib/apps/web/format.ts';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';

// The pages of a partner and of a link. Each test continues the previous one.

const PROGRAM = '/programs/1';
const ANA = `${PROGRAM}/partners/1`;

const { service, page } = await openService();

beforeAll(async () => {
  await sell('ana', 'in_1', 4_900, 'USD');
  await sell('ana', 'in_2', 10_000, 'EUR');
  await sell('ben', 'in_3', 2_000, 'USD');
  const [commission] = await commissionsOf(1, 'USD');
  await service.dashboard('POST', `${PROGRAM}/commissions/${commission!.id}/approve`);
  await eventually(async () => {
    if ((await read(ANA)).sales < 2) throw new Error('The sales are not counted yet');
  });
  await enterAs(page, service.demo.owner_email, ANA);
});

/** A visitor of the link signs up and pays, another one each time. */
async function sell(link: string, transactionId: string, amountCents: number, currency: string): Promise<void> {
  const customerKey = `of ${transactionId}`;
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  await service.track('lead', { click_id, customer_key: customerKey, email: 'jo@example.com' });
  const sale = { transaction_id: transactionId, customer_key: customerKey, amount_cents: amountCents, currency };
  await service.track('sale', sale);
}

const read = async (path: string) => (await service.dashboard('GET', path)).data;

async function commissionsOf(partnerId: number, currency: string): Promise<{ id: number; currency: string }[]> {
  const all: { id: number; currency: string }[] = await read(`${PROGRAM}/commissions?partner_id=${partnerId}`);
  return all.filter((one) => one.currency === currency);
}

const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const row = (table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
/** The cells of each row as text. */
const rowsOf = (table: string) =>
  page
    .getByRole('table', { name: table, exact: true })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((one) => (one as HTMLElement).innerText.split(/\s*\t\s*|\s*\n\s*/)));
const link = (name: string) => page.getByRole('link', { name, exact: true });

describe('the page of a partner in the dashboard', () => {
  it('shows their name and e-mail address', async () => {
    await heading('Ana').waitFor();
    const { joined_at: joinedAt } = await read(ANA);
    expect(await textOf(page, '.page-intro')).toMatch(
      /^Active ana@partners\.test · partner since \w{3} \d{1,2}, \d{4} · ID 1$/,
    );
    expect(await page.locator('.page-intro time').getAttribute('datetime')).toBe(joinedAt);
    expect(await page.title()).toBe('Ana – Referrals');
  });

  it('shows the same figures for the period as the API', async () => {
    const { totals, from, to } = await read(`${ANA}/performance`);
    expect(totals).toMatchObject({ clicks: 2, leads: 2, sales: 2 });
    const days = `from ${dateText(from)} to ${dateText(to)}`;
    const drawn = page.getByRole('img', { name: `Clicks per day ${days}: 2 in all, 0 in the period` });
    await drawn.waitFor();
    expect(totals.amounts.EUR).toMatchObject({ revenue_cents: 10_000, commission_cents: 2_000 });
    expect(totals.amounts.USD).toMatchObject({ revenue_cents: 4_900, commission_cents: 980 });
    const amounts = async () => (await page.locator('.metric-value').allInnerTexts()).slice(3);
    expect(await amounts()).toEqual(['$49.00', '$9.80']);
    await page.getByLabel('Currency').selectOption('EUR');
    await expect.poll(amounts).toEqual(['€100.00', '€20.00']);
    await page.goto(ANA);
  });
});

const adding = () => page.getByRole('dialog', { name: 'Bonus or deduction for Ana' });
const addCommission = () => page.getByRole('button', { name: 'Add bonus or deduction', exact: true });
const grants = async () =>
  (await read(`${PROGRAM}/commissions?partner_id=1`)).filter(({ kind }: { kind: string }) => kind === 'manual');

describe('adding a commission by hand in the dashboard', () => {
  it('adds only one commission if the button is pressed twice, and shows it with its reason', async () => {
    await addCommission().click();
    await adding().getByLabel('Amount').fill('12.50');
    await adding().getByLabel('Currency').selectOption('EUR');
    await adding().getByLabel('Reason').fill('Bonus for the launch');
    await adding().getByRole('button', { name: 'Add bonus' }).dblclick();
    await adding().waitFor({ state: 'detached' });
    await row('Latest commissions', 'Bonus for the launch').waitFor();
    expect((await rowsOf('Latest commissions'))[0]).toMatchObject([
      'Manual',
      'Bonus for the launch',
      expect.any(String),
      '–',
      '€12.50',
      'Approved',
    ]);
    expect(await grants()).toMatchObject([{ amount_cents: 1_250, currency: 'EUR', reason: 'Bonus for the launch' }]);
  });

  it('adds a deduction with an external id, and can be sent again if the reply is lost', async () => {
    const address = '**/partners/1/commissions';
    let lost = 0;
    await page.route(address, async (route) => {
      await route.fetch();
      lost += 1;
      await (lost === 1 ? route.abort() : route.continue());
    });
    await addCommission().click();
    await adding().getByLabel('Amount').fill('2');
    await adding().getByLabel('What to do').selectOption('deduct');
    await adding().getByLabel('Reason').fill('Paid twice');
    await adding().getByLabel('External id').fill('inv-7');
    await adding().getByRole('button', { name: 'Add deduction' }).click();
    await adding().getByRole('alert').waitFor();
    await adding().getByRole('button', { name: 'Add deduction' }).click();
    await adding().waitFor({ state: 'detached' });
    await page.unroute(address);
    await row('Latest commissions', 'Paid twice').waitFor();
    expect((await rowsOf('Latest commissions'))[0]).toMatchObject([
      'Deduction',
      'Paid twice',
      'inv-7',
      expect.any(String),
      '–',
      '-$2.00',
      'Approved',
    ]);
    expect(await grants()).toHaveLength(2);
  });

  it('leads to the list of commissions if the reply is lost, so that no second one is added by mistake', async () => {
    const address = '**/partners/1/commissions';
    await page.route(address, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await addCommission().click();
    await adding().getByLabel('Amount').fill('3');
    await adding().getByLabel('Reason').fill('Unanswered');
    await adding().getByRole('button', { name: 'Add bonus' }).click();
    await adding().getByText('The commission may have been recorded nevertheless').waitFor();
    expect(await adding().getByRole('button', { name: 'Add bonus' }).count()).toBe(0);
    await adding().getByRole('button', { name: 'Close' }).last().click();
    await row('Latest commissions', 'Unanswered').waitFor();
    expect(await grants()).toHaveLength(3);
    await page.unroute(address);
  });
});

const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click();
const editing = () => page.getByRole('dialog', { name: 'Edit partner' });
const saveChanges = () => editing().getByRole('button', { name: 'Save changes' }).click();

describe('a change of a partner in the dashboard', () => {
  it('is saved with the new name and e-mail address', async () => {
    await edit();
    await editing().getByLabel('Name').fill('Ana Lima');
    await editing().getByLabel('E-mail').fill('lima@partners.test');
    await saveChanges();
    await editing().waitFor({ state: 'detached' });
    await heading('Ana Lima').waitFor();
    expect(await read(ANA)).toMatchObject({ name: 'Ana Lima', email: 'lima@partners.test', status: 'active' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Edit');
    await service.dashboard('PATCH', ANA, { name: 'Ana', email: 'ana@partners.test' });
  });
});

it('a link’s page shows its destination and partner, and switches the link off and on', async () => {
  await page.goto(`${PROGRAM}/links/ana?period=7d`);
  await heading('Link ana').waitFor();
  await page.getByRole('img', { name: /^Clicks per day from .*: 2 in all/ }).waitFor();
  await page.locator('.facts').waitFor();
  expect((await page.locator('.facts dd').allInnerTexts()).slice(0, 4)).toEqual([
    expect.stringMatching(/^https:\/\/acme\.test\/\?aff=ana\s+Copy$/),
    'https://acme.test/',
    'Ana',
    'On',
  ]);
  await page.getByRole('button', { name: 'Switch off link ana' }).click();
  await page.getByText('Visitors still reach your site, but their clicks are not counted.').waitFor();
  expect((await read(`${PROGRAM}/links/ana`)).status).toBe('inactive');
  await page.getByRole('button', { name: 'Switch on link ana' }).click();
  await page.getByRole('button', { name: 'Switch off link ana' }).waitFor();
});

describe('removing a partner in the dashboard', () => {
  it('needs a confirmation, and the page then explains the effect', async () => {
    await link('Ana').click();
    await page.getByRole('button', { name: 'Remove Ana' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove partner' }).click();
    await page.getByText('Ana was removed from this program.').waitFor();
    expect((await read(ANA)).status).toBe('removed');
    expect(await page.getByRole('button', { name: 'Add link' }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Restore');
  });

  it('can be undone', async () => {
    await page.getByRole('button', { name: 'Restore Ana' }).click();
    await page.getByRole('button', { name: 'Remove Ana' }).waitFor();
    await page.getByRole('button', { name: 'Add link' }).waitFor();
    expect(await page.getByText('was removed from this program').count()).toBe(0);
    expect((await read(ANA)).status).toBe('active');
  });
});

it('a partner’s page of which one part fails to load shows the other parts and can load that part again', async () => {
  let isBroken = true;
  await page.route('**/owed?*', (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(ANA);
  await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
  await heading('Ana').waitFor();
  await row('Latest commissions', 'in_1').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await row('Balance', 'USD').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.unroute('**/owed?*');
});

it('a partner’s page says that mails to the partner bounced, so that an invitation would not arrive', async () => {
  // The local run behaves like the Amazon SES mailbox simulator.
  const email = 'bounce@simulator.amazonses.com';
  const { data } = await service.dashboard('POST', `${PROGRAM}/partners`, { name: 'Gus', email, invite: true });
  const gus = `${PROGRAM}/partners/${data.id}`;
  await eventually(async () => expect((await read(gus)).mail).toBe('suppressed'));
  await page.goto(gus);
  await page.getByText(`A mail to ${email} came back`).waitFor();
  await page.getByRole('button', { name: 'Invite again: Gus' }).click();
  const inviting = page.getByRole('dialog', { name: 'Invite Gus without a mail?' });
  await inviting.getByText(`No mail will go out: one to ${email} came back`).waitFor();
  await inviting.getByRole('button', { name: 'Invite without a mail' }).click();
  // A person can be invited once in seven days.
  await inviting.getByText('This invitation cannot be sent now').waitFor();
});

it('the list and the page of an invited partner show the link and the code that the brand promised', async () => {
  const wanted = { name: 'Pia', email: 'pia@partners.test', invite: true, short_link: 'pia-tips', code: 'PIA20' };
  const { data } = await service.dashboard('POST', `${PROGRAM}/partners`, wanted);
  await page.goto(`${PROGRAM}/partners`);
  await page.getByRole('row', { name: /Pia.*Promised code PIA20/ }).waitFor();
  await page.goto(`${PROGRAM}/partners/${data.id}`);
  await page.getByText(/^pia-tips on accepting$/).waitFor();
  await page.getByText(/^PIA20 on accepting, unless you give it to another partner before$/).waitFor();
});

it('the audit list names the partner of a commission that was added by hand', async () => {
  await page.goto('/audit');
  await page.getByText('Partner: Ana').first().waitFor();
});

it('people of a list who were refused stay, to be corrected after the others were invited', async () => {
  const dialog = page.getByRole('dialog', { name: 'Add partner' });
  const people = dialog.getByLabel('People', { exact: true });
  await page.goto(`${PROGRAM}/partners`);
  await page.getByRole('button', { name: 'Add partner' }).click();
  await dialog.getByRole('button', { name: 'Several' }).click();
  await people.fill('Una Vance <una@vance.test>\nnobody@vance.test');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
  await dialog.getByText('1 of 2 invited.').waitFor();
  expect((await rowsOf('Sent invitations')).map(([person, state]) => [person, state])).toEqual([
    ['nobody@vance.test', 'Refused'],
    ['Una Vance', 'una@vance.test'],
  ]);
  await dialog.getByRole('button', { name: 'Correct 1 line' }).click();
  expect(await people.inputValue()).toBe('nobody@vance.test');
  await people.fill('No Body, nobody@vance.test');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
  await dialog.getByText('1 of 1 invited.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
});

it('terms for one partner begin with the terms that were in force for that partner', async () => {
  const terms = { commission_type: 'recurring_percent', duration_months: 12, lead_commission_cents: 300 };
  await service.dashboard('PATCH', PROGRAM, terms);
  await page.goto(ANA);
  await page.getByRole('button', { name: 'Change terms' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change terms' });
  await dialog.getByLabel('Terms').selectOption('personal');
  await dialog.getByLabel('Rate', { exact: true }).fill('30');
  await dialog.getByRole('button', { name: 'Save terms' }).click();
  const question = page.getByRole('dialog', { name: 'Change what partners earn?' });
  await question.getByRole('button', { name: 'Change terms' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await read(ANA)).terms).toEqual({ ...terms, commission_rate: 30, hold_period_days: 15, tiers: [] });
});
