import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { countedHostOf, MOST_A_SECOND, turnsOf } from '#lib/service/outbox/sending/host-turns.ts';
import { secondWindowAt } from '#lib/service/ground/values/rate-limits.ts';

const at = (time: string): string => `2026-11-20T15:00:${time}.000Z`;
const second = secondWindowAt(new Date('2026-11-20T15:00:07.940Z'));

it.each([
  ['the first, with turns left', 3, 3, { granted: 3 }],
  ['that takes all turns', 10, 10, { granted: 10, nextAt: at('08') }],
  ['that takes the last turns', 4, 10, { granted: 4, nextAt: at('08') }],
  ['for which some turns remain', 8, 12, { granted: 6, nextAt: at('08') }],
  ['behind one that took all turns', 10, 20, { granted: 0, nextAt: at('08') }],
  ['behind two senders', 10, 30, { granted: 0, nextAt: at('09') }],
  ['behind very many senders', 10, 5_000, { granted: 0, nextAt: at('17') }],
])(
  'a sender with requests to a host %s gets the remaining turns of the second, and a time for the other requests',
  (_name, asked, byAll, turns) => {
    expect(turnsOf(asked, byAll, second)).toEqual(turns);
  },
);

it('all senders together get exactly the allowed requests to a host in a second, in portions of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10 })), (asks) => {
      let byAll = 0;
      const granted = asks.map((asked) => turnsOf(asked, (byAll += asked), second).granted);
      const sum = granted.reduce((before, one) => before + one, 0);
      expect(sum).toBe(Math.min(byAll, MOST_A_SECOND));
    }),
  );
});

it('a host is counted by its name, for any port and spelling', () => {
  const spellings = ['https://hooks.brand.com/a', 'https://HOOKS.brand.com:8443/b?c', 'https://hooks.brand.com:443'];
  expect(new Set(spellings.map(countedHostOf))).toEqual(new Set(['hooks.brand.com']));
  expect(countedHostOf('https://www.hooks.brand.com/')).toBe('www.hooks.brand.com');
});
