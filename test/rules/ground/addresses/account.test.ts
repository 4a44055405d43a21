import { describe, expect, it } from 'vitest';
import { accountName, isNewBrowser, withBrowser } from '#lib/service/ground/addresses/account.ts';

const FIREFOX = 'Firefox on Linux';
const SAFARI = 'Safari on iOS';

describe('the list of known browsers of an account', () => {
  it('gets the browser of an account’s first sign-in, although that browser does not count as new', () => {
    expect(isNewBrowser({}, FIREFOX)).toBe(false);
    expect(withBrowser({}, FIREFOX)).toEqual([FIREFOX]);
  });

  it('does not change when a known browser signs in', () => {
    expect(isNewBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBe(false);
    expect(withBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBeUndefined();
  });

  it('gets each other browser at its first sign-in, and only then the browser counts as new', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, SAFARI)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, SAFARI)).toBe(true);
    expect(browsers).toEqual([FIREFOX, SAFARI]);
    expect(isNewBrowser({ browsers }, SAFARI)).toBe(false);
  });

  it('treats all browsers without identification as one browser', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, undefined)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, undefined)).toBe(true);
    expect(isNewBrowser({ browsers }, undefined)).toBe(false);
    expect(withBrowser({ browsers }, undefined)).toBeUndefined();
  });

  it('has at most 20 browsers; the oldest is dropped', () => {
    const browsers = Array.from({ length: 20 }, (_, n) => `Browser ${n}`);
    expect(withBrowser({ browsers }, FIREFOX)).toEqual([...browsers.slice(1), FIREFOX]);
  });
});

it.each([
  ['Kim Lee', 'Kim Lee'],
  [undefined, 'kim'],
  ['kim@home.test', 'kim'],
  ['@kim', '@kim'],
])('an account for which the identity provider sends the name %s is named %s', (name, named) => {
  expect(accountName({ issuer: 'i', subject: 's', email: 'kim@home.test', name })).toBe(named);
});
