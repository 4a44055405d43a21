import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

// The first program has no window at all, and uses a third less CPU time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

let launched: Promise<Browser> | undefined;

/**
 * Starts the machine's own Chromium without a window. The files of a test worker share it one after the other: closing
 * it closes only what the file has opened, and the browser ends with the worker. Every host name resolves to this
 * machine, so that tests can use any name.
 */
export const launchChromium = (): Promise<Browser> => (launched ??= launch());

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // The machine has no GPU: emulating one in another process costs more than drawing without it.
      '--disable-gpu',
      '--in-process-gpu',
      '--no-proxy-server',
      '--host-resolver-rules=MAP * 127.0.0.1',
      // Without a window it would identify as headless, and its clicks would count as a bot's.
      `--user-agent=${AGENT}`,
    ],
  });
  browser.close = async () => {
    await Promise.all(
      browser.contexts().map(async (context) => {
        await leaveRoutes(context);
        await context.close();
      }),
    );
  };
  return browser;
}

/** Call this before a context is closed, because no one waits for the replies to its pending requests. */
export async function leaveRoutes(context: BrowserContext): Promise<void> {
  const behavior = 'ignoreErrors';
  await Promise.all([...context.pages(), context].map((routed) => routed.unrouteAll({ behavior })));
}

function chromiumPath(): string {
  const { CHROMIUM, PATH = '' } = process.env;
  const path = CHROMIUM ?? PATH.split(delimiter).flatMap(inFolder).find(isExecutable);
  if (path) return path;
  throw new Error(
    'There is no Chromium on this machine. Install it (on Debian: apt-get install chromium-headless-shell), or name its file in CHROMIUM.',
  );
}

const inFolder = (folder: string): string[] => names.map((name) => join(folder, name));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
