import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The machine's own Chromium, without a window. Every host name leads to this machine, so that tests may use any name
 * without leaving the machine.
 */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-proxy-server', '--host-resolver-rules=MAP * 127.0.0.1'],
  });

function chromiumPath(): string {
  const { CHROMIUM, PATH = '' } = process.env;
  const path = CHROMIUM ?? PATH.split(delimiter).flatMap(inFolder).find(isExecutable);
  if (path) return path;
  throw new Error(
    'There is no Chromium on this machine. Install it (on Debian: apt-get install chromium), or name its file in CHROMIUM.',
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
