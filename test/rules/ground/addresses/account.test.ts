import { describe, expect, it } from 'vitest';
import { accountName, isNewBrowser, withBrowser } from '#lib/service/ground/addresses/account.ts';

const FIREFOX = 'Firefox on Linux';
const SAFARI = 'Safari on iOS';

describe('the known browsers of an account', () => {
  it('do not count as new for the first sign-in, so that no mail is sent', () => {
    expect(isNewBrowser({}, FIREFOX)).toBe(false);
    expect(withBrowser({}, FIREFOX)).toEqual([FIREFOX]);
  });

  it('do not change when a known browser signs in', () => {
    expect(isNewBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBe(false);
    expect(withBrowser({ browsers: [FIREFOX, SAFARI] }, FIREFOX)).toBeUndefined();
  });

  it('make another browser count as new once', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, SAFARI)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, SAFARI)).toBe(true);
    expect(browsers).toEqual([FIREFOX, SAFARI]);
    expect(isNewBrowser({ browsers }, SAFARI)).toBe(false);
  });

  it('make all unidentified browsers count as one', () => {
    const browsers = withBrowser({ browsers: [FIREFOX] }, undefined)!;
    expect(isNewBrowser({ browsers: [FIREFOX] }, undefined)).toBe(true);
    expect(isNewBrowser({ browsers }, undefined)).toBe(false);
    expect(withBrowser({ browsers }, undefined)).toBeUndefined();
  });

  it('are at most 20: the oldest is dropped', () => {
    const browsers = Array.from({ length: 20 }, (_, n) => `Browser ${n}`);
    expect(withBrowser({ browsers }, FIREFOX)).toEqual([...browsers.slice(1), FIREFOX]);
  });
});

it.each([
  ['Kim Lee', 'Kim Lee'],
  [undefined, 'kim'],
  ['kim@home.test', 'kim'],
  ['@kim', '@kim'],
])('an account whose issuer sends the name %s is named %s', (name, named) => {
  expect(accountName({ issuer: 'i', subject: 's', email: 'kim@home.test', name })).toBe(named);
});
