import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';
import { png } from '#test/support/programs/images.ts';

const { service, newPage } = await openService();
const program = `/programs/${service.demo.program_id}`;
const own = `/partner${program}`;
const join = `/join/${service.demo.program_id}/any-words`;
const YELLOW_IN_THE_DARK = 'rgb(255, 208, 0)';
const file = { name: 'logo.png', mimeType: 'image/png', buffer: png({ width: 120, height: 40 }) };

await service.dashboard('PATCH', program, { join: 'open' });

async function at(path: string, email?: string): Promise<Page> {
  const page = await newPage();
  await (email === undefined ? page.goto(path) : enterAs(page, email, path));
  return page;
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const colorOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
const iconOf = (page: Page) => page.locator('link[rel=icon]').getAttribute('href');
const markOf = (page: Page) => page.locator('.navigation .brand, .single > .brand').innerText();
const logoIn = (page: Page) => page.locator('.brand img.emblem').getAttribute('src');

it('a page without a brand shows the name of the product, or of the program if the page belongs to one', async () => {
  const page = await at('/partner');
  await heading(page, 'Sign in');
  expect([await page.title(), await markOf(page)]).toEqual(['Sign in – Referrals', 'Referrals']);
  await page.goto(own);
  await heading(page, 'Sign in');
  await expect.poll(() => markOf(page)).toBe('Referrals');
  await page.goto(join);
  await heading(page, 'Become a partner of Acme Pro');
  expect(await markOf(page)).toMatch(/^A\s*Acme Pro$/);
  await page.getByText('Recommend acme.test').waitFor();
  expect(await page.getByText('Questions?').count()).toBe(0);
});

describe('an owner of a program with a brand (logo, color and texts)', () => {
  it('sets the brand in the settings, and sees the color for both themes', async () => {
    const page = await at(`${program}/settings#brand`, service.demo.owner_email);
    const brand = page.locator('#brand');
    const vector = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await brand.getByLabel('Logo').setInputFiles(vector);
    await brand.getByText('This file is not an image for a logo').waitFor();
    await brand.getByLabel('Logo').setInputFiles({ ...file, buffer: vector.buffer });
    await brand.getByText('logo must be a PNG, JPEG or WebP image').waitFor();
    await brand.getByLabel('Logo').setInputFiles({ ...file, buffer: Buffer.alloc(204_801) });
    await brand.getByText('This file is too large for a logo').waitFor();
    await brand.getByLabel('Logo').setInputFiles(file);
    await brand.getByText('Saved: partners see this logo now. 120 × 40 pixels.').waitFor();
    expect(await brand.locator('img.emblem').count()).toBe(2);
    await brand.getByRole('button', { name: 'Remove the logo' }).click();
    await brand.getByText('Or drop a file here.').waitFor();
    expect(await brand.locator('img').count()).toBe(0);
    // The button is gone, and the focus is on the field.
    await expect.poll(() => brand.getByLabel('Logo').evaluate((input) => input === document.activeElement)).toBe(true);
    const dropped = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], 'logo.png', { type: 'image/png' }));
        return transfer;
      },
      [...file.buffer],
    );
    await brand.locator('.drop-area').dispatchEvent('drop', { dataTransfer: dropped });
    await brand.getByText('120 × 40 pixels.').waitFor();

    await brand.getByLabel('Name').fill('Acme & Friends');
    await brand.getByLabel('Color of buttons, links and charts').fill('yellow');
    await brand.getByLabel('Welcome').fill('Hello <b>you</b>!\n\nGood to see you.');
    await brand.getByLabel('Contact').fill('Partners+eu@acme.test');
    await brand.getByRole('button', { name: 'Save brand' }).click();
    await brand.getByText('Color of buttons, links and charts must be a color').waitFor();
    await brand.getByLabel('Choose a color').fill('#ffd000');
    expect(await brand.getByLabel('Color of buttons, links and charts').inputValue()).toBe('#ffd000');
    await brand.getByRole('button', { name: 'Save brand' }).click();
    await brand.getByText('Saved.').waitFor();
    await brand.getByText('Dark: #ffd000.', { exact: true }).waitFor();
    await brand.getByText(/^Light: #[0-9a-f]{6}. Adjusted so that it can be read.$/).waitFor();
    expect(await brand.getByText('Acme & Friends').count()).toBe(2);
  });

  it('still sees the name of the product on the dashboard’s pages', async () => {
    const page = await at(`${program}/settings`, service.demo.owner_email);
    await heading(page, 'Settings');
    expect([await page.title(), await markOf(page)]).toEqual(['Settings: General – Referrals', 'Referrals']);
    expect(await colorOf(page, 'button.primary', 'background-color')).toBe('rgb(59, 84, 214)');
  });
});

describe('a brand in the portal', () => {
  it('is shown on the join page: logo, name, welcome text, color and contact', async () => {
    const page = await at(join);
    await heading(page, 'Become a partner of Acme & Friends');
    expect(await page.title()).toBe('Become a partner of Acme & Friends – Acme & Friends');
    expect(await markOf(page)).toBe('Acme & Friends');
    expect(await logoIn(page)).toMatch(/^\/brand\/1\/logo\?v=[0-9a-f]{8}$/);
    expect(await iconOf(page)).toBe(await logoIn(page));
    const isShown = () =>
      page.locator('.brand img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth);
    await eventually(async () => expect(await isShown()).toBe(120));
    expect(await page.locator('.written').innerText()).toBe('Hello <b>you</b>!\n\nGood to see you.');
    const contact = page.getByRole('link', { name: 'partners+eu@acme.test' });
    expect(await contact.getAttribute('href')).toBe('mailto:partners%2Beu@acme.test');
    const light = await colorOf(page, 'button.primary', 'background-color');
    expect(light).not.toBe('rgb(59, 84, 214)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colorOf(page, 'button.primary', 'background-color')).toBe(YELLOW_IN_THE_DARK);
  });

  it('is shown on the sign-in page only if the requested URL belongs to the program', async () => {
    const page = await at(`${own}/links`);
    await heading(page, 'Sign in');
    await page.getByText('Questions?').waitFor();
    expect([await page.title(), await markOf(page)]).toEqual(['Sign in – Acme & Friends', 'Acme & Friends']);
    expect(await iconOf(page)).toBe(await logoIn(page));
    await page.goto('/partner');
    await heading(page, 'Sign in');
    expect([await page.title(), await markOf(page)]).toEqual(['Sign in – Referrals', 'Referrals']);
  });

  it('is shown on the program’s pages, but not on other pages that are opened from there', async () => {
    const page = await at(own, service.demo.partner.email);
    await page.getByText('Questions?').waitFor();
    expect(await markOf(page)).toBe('Acme & Friends');
    const accent = await colorOf(page, 'main a', 'color');
    expect(await iconOf(page)).toBe(await logoIn(page));
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await heading(page, 'Links');
    await expect.poll(() => page.title()).toBe('Links – Acme & Friends');
    await page.getByRole('link', { name: 'Your programs', exact: true }).click();
    await heading(page, 'Your programs');
    expect([await page.title(), await markOf(page)]).toEqual(['Your programs – Referrals', 'Referrals']);
    expect(await iconOf(page)).toBe('/icon.svg');
    expect(await colorOf(page, 'html', '--accent')).toBe('#3b54d6');
    expect(accent).not.toBe('rgb(59, 84, 214)');
    expect(await page.getByText('Questions?').count()).toBe(0);
  });

  it('is shown to an owner who views the pages as a partner', async () => {
    const page = await at(`${own}/links?as=${service.demo.partner.id}`, service.demo.owner_email);
    await heading(page, 'Links');
    await page.getByText('Questions?').waitFor();
    expect(await page.title()).toBe('Links – Acme & Friends');
    expect(await markOf(page)).toBe('Acme & Friends');
  });

  it('shows the first letter of its name once the logo is deleted', async () => {
    await service.dashboard('DELETE', `${program}/brand/logo`);
    const page = await at(join);
    await heading(page, 'Become a partner of Acme & Friends');
    expect(await markOf(page)).toMatch(/^A\s*Acme & Friends$/);
    expect(await colorOf(page, '.emblem.letter', 'background-color')).toBe(
      await colorOf(page, 'button.primary', 'background-color'),
    );
    expect(await iconOf(page)).toBe('/icon.svg');
  });
});
