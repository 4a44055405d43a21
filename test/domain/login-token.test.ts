import { expect, it } from 'vitest';
import { coarseAddress } from '#lib/domain/login-token.ts';

it.each([
  ['203.0.113.7', '203.0.113.x'],
  ['::ffff:203.0.113.7', '203.0.113.x'],
  ['2001:db8:7::42', '2001:db8:7:x'],
  ['2001:db8:7:1:2:3:4:5', '2001:db8:7:x'],
  ['2001:db8::1', '2001:db8:0:x'],
  ['::1', '0:0:0:x'],
  ['unknown', undefined],
])('of %s a list shows %s', (address, shown) => {
  expect(coarseAddress(address)).toBe(shown);
});
