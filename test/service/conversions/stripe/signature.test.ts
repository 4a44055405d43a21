import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { isSigned } from '#lib/service/conversions/stripe/signature.ts';
import { NOW } from '#test/support/callers/request.ts';

const body = '{"id":"evt_1"}';
const timestamp = Math.floor(NOW.getTime() / 1000);
const good = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_brand', timestamp });
const signature = good.slice(good.indexOf('v1='));

const isGood = (header: string) => isSigned(body, header, ['whsec_other', 'whsec_brand'], NOW);

/** Every part of the header by its start and end. */
const parts = Array.from({ length: good.length }, (_, from) =>
  Array.from({ length: good.length - from }, (_each, more) => [from, from + more + 1] as const),
).flat();

describe('a valid signature header of Stripe', () => {
  it('is accepted unchanged', () => {
    expect(isGood(good)).toBe(true);
  });

  it.each([`${good},${signature}`, `${good},v0=${'0'.repeat(64)}`, `${signature},t=${timestamp}`])(
    'is accepted with an additional part: %s',
    (header) => {
      expect(isGood(header)).toBe(true);
    },
  );

  it('is refused if any part of it is removed', () => {
    const taken = parts.map(([from, to]) => good.slice(0, from) + good.slice(to)).filter(isGood);
    expect(taken).toEqual([]);
  });

  it('is refused if only a part of it is left', () => {
    const taken = parts.map(([from, to]) => good.slice(from, to)).filter(isGood);
    expect(taken).toEqual([good]);
  });

  it('is refused if any part of it is repeated, unless the result still contains the whole signature', () => {
    const isWhole = new RegExp(`^t=${timestamp},v\\w*=\\w+,${signature}$`);
    const taken = parts.map(([from, to]) => good.slice(0, to) + good.slice(from)).filter(isGood);
    expect(taken).toContain(`${good},${signature}`);
    expect(taken.filter((header) => !isWhole.test(header))).toEqual([]);
  });

  it.each(['é', '\u0000', '\ud800', '💶', ' ', ',', '=', ',v1=', ',v1=aa', ',v1=é', `,v1=${'é'.repeat(64)}`, ',t=1'])(
    'is refused if %j is inserted at any place, including the beginning and the end',
    (added) => {
      const spoilt = Array.from(
        { length: good.length + 1 },
        (_, place) => good.slice(0, place) + added + good.slice(place),
      );
      expect(spoilt.filter(isGood)).toEqual([]);
    },
  );
});

it.each(['', ',', '=', 't', 't=', 'v1', 'v1=', 'v1=,v1=aa', `t=${timestamp},v1=`, `t=${timestamp},v1=,v1=aa`])(
  'the signature header %j is refused',
  (header) => {
    expect(isGood(header)).toBe(false);
  },
);
