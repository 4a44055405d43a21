import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { newPerson } from '#test/browser/support/dashboard.ts';
import { startService } from '#test/browser/support/service.ts';

/**
 * The service with its demo, and a user's page, until all tests of the file have run. A page may have no script error
 * and no policy violation.
 */
export async function openService(options?: BrowserContextOptions) {
  const [service, browser] = await Promise.all([startService(), launchChromium()]);
  const person = await newPerson(browser, service.url, options);
  afterAll(async () => {
    await browser.close();
    await service.stop();
    expect(person.problems).toEqual([]);
  });

  /** Another user's page with a separate browser, until the test has ended. */
  async function newPage(): Promise<Page> {
    const { page, problems, leave } = await newPerson(browser, service.url, options);
    onTestFinished(async () => {
      await leave();
      expect(problems).toEqual([]);
    });
    return page;
  }
  return { service, person, page: person.page, newPage };
}
