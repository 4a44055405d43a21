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
  it('is accepted as the processor sends it', () => {
    expect(isGood(good)).toBe(true);
  });

  it.each([`${good},${signature}`, `${good},v0=${'0'.repeat(64)}`, `${signature},t=${timestamp}`])(
    'is accepted as %s',
    (header) => {
      expect(isGood(header)).toBe(true);
    },
  );

  it('is refused with any part removed', () => {
    const taken = parts.map(([from, to]) => good.slice(0, from) + good.slice(to)).filter(isGood);
    expect(taken).toEqual([]);
  });

  it('is refused with only one part left', () => {
    const taken = parts.map(([from, to]) => good.slice(from, to)).filter(isGood);
    expect(taken).toEqual([good]);
  });

  it('is refused with any part repeated, unless one signature is complete', () => {
    const isWhole = new RegExp(`^t=${timestamp},v\\w*=\\w+,${signature}$`);
    const taken = parts.map(([from, to]) => good.slice(0, to) + good.slice(from)).filter(isGood);
    expect(taken).toContain(`${good},${signature}`);
    expect(taken.filter((header) => !isWhole.test(header))).toEqual([]);
  });

  it.each(['é', '\u0000', '\ud800', '💶', ' ', ',', '=', ',v1=', ',v1=aa', ',v1=é', `,v1=${'é'.repeat(64)}`, ',t=1'])(
    'is refused with %j inserted anywhere, and in addition to it',
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
