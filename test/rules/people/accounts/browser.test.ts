import { expect, it } from 'vitest';
import { browserOf } from '#lib/service/people/accounts/browser.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Windows'],
  [`${WINDOWS} ${CHROME}`, 'Chrome on Windows'],
  [`${WINDOWS} ${CHROME} Edg/131.0.0.0`, 'Edge on Windows'],
  [`${WINDOWS} ${CHROME} OPR/116.0.0.0`, 'Opera on Windows'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, 'Chrome on Linux'],
  ['affitor/1.2.3 (linux)', 'affitor on Linux'],
  ['affitor/1.2.3 (darwin)', 'affitor on macOS'],
  ['affitor/1.2.3 (win32)', 'affitor on Windows'],
  ['Firefox/132.0', 'Firefox'],
  ['curl/8.11.0', undefined],
  ['node', undefined],
  [`${' '.repeat(500)}Firefox/132.0`, undefined],
  ['', undefined],
  [undefined, undefined],
])('browserOf reads the user agent %s as %s', (agent, browser) => {
  expect(browserOf(agent)).toBe(browser);
});
