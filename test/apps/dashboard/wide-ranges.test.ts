import { expect, it } from 'vitest';
import { wideRangesIn } from '#lib/apps/dashboard/settings/tracking/wide-ranges.ts';

it('wideRangesIn finds the network ranges that are too wide to be ignored, because many networks share them', () => {
  const narrow = ['203.0.113.9', '203.0.113.0/24', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32'];
  const wide = ['0.0.0.0/1', '11.0.0.0/7', '2001::/16', '2001:d00::/31'];
  expect(wideRangesIn([...narrow, ...wide])).toEqual(wide);
});
