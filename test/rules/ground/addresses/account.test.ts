import { describe, expect, it } from 'vitest';
import { accountName, isNewBrowser, withBrowser } from '#lib/service/ground/addresses/account.ts';

const FIREFOX = 'Firefox on Linux';
const SAFARI = 'Safari on iOS';

describe('the browsers of an account', () => {
  it('the first one is not new: nobody has to be told of their first sign-in', () => {
    expect(isNewBrowser({}, FIREFOX)).toBe(false);
    expect(withBrowser({}, FIREFOX)).toEqual([FIREFOX]);
  });

  it('a known one is not new, and changes nothing', () => {
    expect(isNewBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBe(false);
    expect(withBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBeUndefined();
  });

  it('another one is new, once', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, SAFARI)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, SAFARI)).toBe(true);
    expect(browsers).toEqual([FIREFOX, SAFARI]);
    expect(isNewBrowser({ browsers }, SAFARI)).toBe(false);
  });

  it('those that their header does not name are one', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, undefined)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, undefined)).toBe(true);
    expect(isNewBrowser({ browsers }, undefined)).toBe(false);
    expect(withBrowser({ browsers }, undefined)).toBeUndefined();
  });

  it('are 20: the one that came first is forgotten', () => {
    const browsers = Array.from({ length: 20 }, (_, n) => `Browser ${n}`);
    expect(withBrowser({ browsers }, FIREFOX)).toEqual([...browsers.slice(1), FIREFOX]);
  });
});

it.each([
  ['Kim Lee', 'Kim Lee'],
  [undefined, 'kim'],
  ['kim@home.test', 'kim'],
  ['@kim', '@kim'],
])('an account that its issuer calls %s is named %s', (name, named) => {
  expect(accountName({ issuer: 'i', subject: 's', email: 'kim@home.test', name })).toBe(named);
});
