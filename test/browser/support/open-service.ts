import { afterAll } from 'vitest';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { startService } from '#test/browser/support/service.ts';

/** The service with its demo, and a browser, until all tests of the file have run. */
export async function openService() {
  const [service, browser] = await Promise.all([startService(), launchChromium()]);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  return { service, browser };
}
