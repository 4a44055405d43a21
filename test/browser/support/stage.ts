import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { type BrandSite, startBrandSite } from '#test/browser/support/brand-site.ts';
import { selfSigned } from '#test/browser/support/certificate.ts';
import { type Gate, startGate } from '#test/browser/support/gate.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

/** A visitor with a new browser. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the tracker wrote to the console. */
  readonly logged: string[];
  /** The cookies by name. */
  readonly cookies: () => Promise<Record<string, Cookie>>;
  /** Closes the browser window. @throws when the page itself had an error, which the tracker must never cause */
  readonly leave: () => Promise<void>;
}

type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number];

/**
 * Everything for a test of the tracker: the service behind its gate, a brand with an http and an https site, a browser.
 */
export interface Stage {
  readonly service: Service;
  readonly gate: Gate;
  readonly http: BrandSite;
  readonly https: BrandSite;
  /** The script tag from the tracker's README, with additional attributes. */
  readonly scriptTag: (attributes?: string) => string;
  readonly visitor: () => Promise<Visitor>;
  readonly stop: () => Promise<void>;
}

export async function startStage(): Promise<Stage> {
  // First starts the prerequisites that a machine may lack.
  const [browser, certificate] = await Promise.all([launchChromium(), selfSigned('brand.test')]);
  const [service, http, https] = await Promise.all([startService(), startBrandSite(), startBrandSite(certificate)]);
  const gate = await startGate(service.url);
  const { port } = new URL(http.url('brand.test'));
  const { port: tlsPort } = new URL(https.url('brand.test'));
  await service.dashboard('PATCH', `/programs/${service.demo.program_id}`, {
    allowed_origins: [
      ...['brand.test', 'example.co.uk'].flatMap((domain) => [
        `http://${domain}:${port}`,
        `http://*.${domain}:${port}`,
        `https://*.${domain}:${tlsPort}`,
      ]),
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}`,
    ],
  });
  const scriptTag = (attributes = '') =>
    `<script async src="${gate.url}/js/tracker.js" data-service-program-id="${service.demo.program_id}" ${attributes}></script>`;

  return {
    service,
    gate,
    http,
    https,
    scriptTag,
    visitor: () => newVisitor(browser),
    async stop() {
      await browser.close();
      for (const server of [http, https, gate]) server.close();
      await service.stop();
    },
  };
}

async function newVisitor(browser: Browser): Promise<Visitor> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const logged: string[] = [];
  const uncaught: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('[Affiliate]')) logged.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => uncaught.push(String(error)));
  const cookies = async () =>
    Object.fromEntries((await context.cookies()).map((cookie) => [cookie.name, cookie] as const));

  async function leave(): Promise<void> {
    await context.close();
    if (uncaught.length > 0) throw new Error(`Uncaught in the page: ${uncaught.join(', ')}`);
  }
  return { context, page, logged, cookies, leave };
}
