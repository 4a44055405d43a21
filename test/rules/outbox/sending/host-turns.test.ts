import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { countedHostOf, MOST_A_SECOND, turnsOf } from '#lib/service/outbox/sending/host-turns.ts';
import { secondWindowAt } from '#lib/service/ground/values/rate-limits.ts';

const at = (time: string): string => `2026-11-20T15:00:${time}.000Z`;
const second = secondWindowAt(new Date('2026-11-20T15:00:07.940Z'));

it.each([
  ['as the first sender, for fewer than the limit,', 3, 3, { granted: 3 }],
  ['as the first sender, for as many as the limit,', 10, 10, { granted: 10, nextAt: at('08') }],
  ['for exactly as many as are left,', 4, 10, { granted: 4, nextAt: at('08') }],
  ['for more than are left,', 8, 12, { granted: 6, nextAt: at('08') }],
  ['after other senders took all turns of this second,', 10, 20, { granted: 0, nextAt: at('08') }],
  ['after other senders took all turns of the next second too,', 10, 30, { granted: 0, nextAt: at('09') }],
  ['after very many senders took turns,', 10, 5_000, { granted: 0, nextAt: at('17') }],
])(
  'a sender that asks for turns to send to a host %s gets the turns left in this second, and the time of the next ones',
  (_name, asked, byAll, turns) => {
    expect(turnsOf(asked, byAll, second)).toEqual(turns);
  },
);

it('all senders together get at most the allowed number of requests to a host per second, however many each asks for', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10 })), (asks) => {
      let byAll = 0;
      const granted = asks.map((asked) => turnsOf(asked, (byAll += asked), second).granted);
      const sum = granted.reduce((before, one) => before + one, 0);
      expect(sum).toBe(Math.min(byAll, MOST_A_SECOND));
    }),
  );
});

it('requests to a host are counted by its name, for any port and any case of the letters', () => {
  const spellings = ['https://hooks.brand.com/a', 'https://HOOKS.brand.com:8443/b?c', 'https://hooks.brand.com:443'];
  expect(new Set(spellings.map(countedHostOf))).toEqual(new Set(['hooks.brand.com']));
  expect(countedHostOf('https://www.hooks.brand.com/')).toBe('www.hooks.brand.com');
});
