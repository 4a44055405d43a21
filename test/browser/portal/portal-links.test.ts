import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page, newPage } = await openService();

beforeAll(async () => {
  await service.dashboard('PATCH', `/programs/${service.demo.program_id}`, { links_per_partner: 1 });
  await enterAs(page, 'ana@partners.test', `/partner/programs/${service.demo.program_id}/links`);
});
const actionsOf = (link: string) =>
  row(link)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
const backgroundOf = (cell: Element): string => getComputedStyle(cell).backgroundColor;
const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });

it('the portal lists only the partner’s own links', async () => {
  await row('ana').waitFor();
  expect(await page.getByRole('row', { name: /ben/ }).count()).toBe(0);
});

it.each([
  [360, 'cards'],
  [768, 'cards'],
  [900, 'a table'],
  [961, 'a table'],
  [1_280, 'a table'],
])('at a width of %i px the portal shows links as %s', async (width, form) => {
  await page.setViewportSize({ width, height: 900 });
  const table = page.getByRole('table', { name: 'Links' });
  const formOf = async () => ((await table.getAttribute('class'))!.includes('cards') ? 'cards' : 'a table');
  await expect.poll(formOf).toBe(form);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

it('a partner can create as many links as the program allows, and sees an error if a name is taken', async () => {
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByLabel('Name of the link').fill('ben');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByText('short_link is already taken').or(page.getByText('Name of the link is already taken')).waitFor();
  await page.getByLabel('Name of the link').fill('ana-show');
  await page.getByLabel('Leads to').fill('https://other.test/');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page
    .getByText('must be on the program’s own site')
    .or(page.getByText("must be on the program's own site"))
    .waitFor();
  await page.getByLabel('Leads to').fill('acme.test/show');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const shared = page.getByRole('dialog', { name: 'Share link ana-show' });
  await shared.getByText('https://acme.test/show?aff=ana-show').waitFor();
  await page.keyboard.press('Escape');
  await row('ana-show').waitFor();
  await page.getByText('You have made as many as you can').waitFor();
  expect(await page.getByRole('button', { name: 'Make a link' }).count()).toBe(0);
});

it('a partner who switches off a link can create another one', async () => {
  await page.getByRole('button', { name: 'Switch off link ana-show' }).click();
  await page.getByRole('button', { name: 'Switch on link ana-show' }).waitFor();
  await page.getByText('You can make 1 more link.').waitFor();
  await row('ana-show').getByText('You switched it off: its clicks are not counted.').waitFor();
  expect(await actionsOf('ana-show')).toEqual(['Switch on link ana-show']);
});

it('a partner can do nothing with a link that the brand switched off', async () => {
  await row('gone').getByText('Off', { exact: true }).waitFor();
  await row('gone').getByText('Acme Pro switched it off: its clicks are not counted.').waitFor();
  expect(await actionsOf('gone')).toEqual([]);
  expect(await actionsOf('ana')).toEqual(['Copy link ana', 'Share link ana', 'Switch off link ana']);
});

it('a partner can share a link to any page of the program’s site, as a URL and as a QR code', async () => {
  await page.getByRole('button', { name: 'Share link ana', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code of https://acme.test/?aff=ana' }).waitFor();
  await dialog.getByLabel('Page to show').fill('https://other.test/');
  await dialog.getByText('This is not a page of acme.test.').waitFor();
  await dialog.getByLabel('Page to show').fill('acme.test/pricing');
  const address = 'https://acme.test/pricing?aff=ana';
  await dialog.getByRole('img', { name: `QR code of ${address}` }).waitFor();
  await dialog.getByRole('button', { name: 'Copy this address' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the QR code' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('ana-qr-code.svg');
  expect(await dialog.getByRole('button', { name: 'Send in an app…' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

it('on a device with apps to share to, a partner can send a link in one of them', async () => {
  const phone = await newPage();
  await phone.addInitScript(() => {
    navigator.share = async (data) => void Object.assign(globalThis, { sent: data });
  });
  await enterAs(phone, 'ana@partners.test', `/partner/programs/${service.demo.program_id}/links`);
  await phone.getByRole('button', { name: 'Share link ana', exact: true }).click();
  await phone.getByRole('button', { name: 'Send in an app…' }).click();
  expect(await phone.evaluate(() => Reflect.get(globalThis, 'sent'))).toEqual({ url: 'https://acme.test/?aff=ana' });
});

it('the cells of a link that is shown as a card keep no background when the link is pointed at', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await row('ana').hover();
  expect(await row('ana').getByRole('cell').first().evaluate(backgroundOf)).toBe('rgba(0, 0, 0, 0)');
});
