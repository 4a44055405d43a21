import { expect, it } from 'vitest';
import { openService } from '#test/browser/support/open-service.ts';

const { page } = await openService({ javaScriptEnabled: false });

it('a link in an API reply opens the page about errors at the right error, and the page needs no scripts', async () => {
  await page.goto('/docs/errors#api_key_rotation_required');
  const target = page.locator(':target');
  expect(await target.getByRole('heading', { level: 2 }).innerText()).toBe('api_key_rotation_required');
  await expect.poll(() => target.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(100);
});

it('the index of the page about errors links to every error', async () => {
  const anchors = await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  expect(anchors).toEqual([
    '#invalid_request',
    '#no_attribution',
    '#unauthorized',
    '#invalid_key',
    '#api_key_rotation_required',
    '#bot_click',
    '#test_click',
    '#other_program_click',
    '#unknown_click',
    '#possible_double_count',
    '#ACCOUNT_BLOCKED',
    '#not_found',
    '#duplicate_transaction',
    '#link_disabled',
    '#unsupported_currency',
    '#rate_limited',
    '#internal_error',
    '#messages',
    '#outside',
  ]);
  for (const anchor of anchors) expect(await page.locator(`section${anchor}`).count()).toBe(1);
});
