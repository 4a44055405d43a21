import { expect, it } from 'vitest';
import {
  coarseAddress,
  isRecentSignIn,
  MOST_TOKENS,
  tokenEnd,
  tokensToEnd,
} from '#lib/service/ground/addresses/login-token.ts';

it.each([
  ['203.0.113.7', '203.0.113.x'],
  ['::ffff:203.0.113.7', '203.0.113.x'],
  ['2001:db8:7::42', '2001:db8:7:x'],
  ['2001:db8:7:1:2:3:4:5', '2001:db8:7:x'],
  ['2001:db8::1', '2001:db8:0:x'],
  ['::1', '0:0:0:x'],
  ['unknown', undefined],
])('the list of sessions shows the IP address %s as %s', (address, shown) => {
  expect(coarseAddress(address)).toBe(shown);
});

it.each([
  ['just created', 'dashboard', '2026-11-20T15:00:00.000Z', undefined, '2026-12-05T00:00:00.000Z'],
  ['used on a later day', 'dashboard', '2026-11-20T15:00:00.000Z', '2026-12-04', '2026-12-19T00:00:00.000Z'],
  ['used until its last day', 'dashboard', '2026-11-20T15:00:00.000Z', '2027-02-18', '2027-02-18T15:00:00.000Z'],
  ['created within a second', 'cli', '2026-11-20T15:00:00.001Z', undefined, '2027-02-18T15:00:01.000Z'],
  ['of the CLI, unused', 'cli', '2026-11-20T15:00:00.000Z', '2026-11-20', '2027-02-18T15:00:00.000Z'],
] as const)(
  'a login token %s (%s) expires a fixed number of days after its creation or last use',
  (_, kind, createdAt, lastUsedOn, end) => {
    expect(tokenEnd(kind, new Date(createdAt), lastUsedOn).toISOString()).toBe(end);
  },
);

const used = (day: number, createdAt = '2026-11-01T00:00:00.000Z') => ({
  lastUsedOn: `2026-11-${String(day).padStart(2, '0')}`,
  createdAt,
});

it('if an account has too many sessions, those that have been unused for longest are ended', () => {
  const [older, newer] = [used(1, '2026-10-01T00:00:00.000Z'), used(1)];
  const others = Array.from({ length: MOST_TOKENS - 2 }, (_, n) => used(n + 2));
  expect(tokensToEnd([])).toEqual([]);
  expect(tokensToEnd([...others, newer])).toEqual([]);
  expect(tokensToEnd([...others, newer, older])).toEqual([older]);
  expect(tokensToEnd([used(2), ...others, newer, older])).toEqual([older, newer]);
});

it('a sign-in is recent until the given number of milliseconds has passed, and no longer after that', () => {
  const now = new Date('2026-11-20T15:00:00.000Z');
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  expect(isRecentSignIn(ago(600_000), now, 600_000)).toBe(true);
  expect(isRecentSignIn(ago(600_001), now, 600_000)).toBe(false);
});
