import { describe, expect, it } from 'vitest';
import {
  connectExpirySeconds,
  eventForgottenAtSeconds,
  processorModeOf,
  type ProcessorLink,
  validSecrets,
  waitingForgottenAtSeconds,
  withAccount,
  withoutAccount,
  withSigningSecret,
} from '#lib/service/programs/program/processor.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const HOUR_MS = 3_600_000;
const later = (hours: number, ms = 0) => new Date(NOW.getTime() + hours * HOUR_MS + ms);

/** Secrets set one after the other, at these hours. */
const setAt = (...hours: readonly number[]): ProcessorLink | undefined =>
  hours.reduce<ProcessorLink | undefined>((link, hour) => withSigningSecret(link, `s${hour}`, later(hour)), undefined);

describe('a secret that verifies the signatures of Stripe’s events', () => {
  it('is valid from the time it is set until another is set', () => {
    expect(setAt(0)).toEqual({ connectedAt: NOW.toISOString(), signingSecrets: [{ sealed: 's0' }] });
    expect(validSecrets(setAt(0), later(100_000))).toEqual(['s0']);
  });

  it('stays valid for 24 hours after another secret is set', () => {
    expect(validSecrets(setAt(0, 5), later(29, -1))).toEqual(['s5', 's0']);
    expect(validSecrets(setAt(0, 5), later(29))).toEqual(['s5']);
  });

  it('expires 24 hours after it was replaced, even if its replacement was replaced meanwhile', () => {
    const link = setAt(0, 5, 20);
    expect(validSecrets(link, later(28))).toEqual(['s20', 's5', 's0']);
    expect(validSecrets(link, later(29))).toEqual(['s20', 's5']);
    expect(validSecrets(link, later(44))).toEqual(['s20']);
  });

  it('is deleted when the next secret is set after its expiry', () => {
    expect(setAt(0, 5, 30)?.signingSecrets).toEqual([
      { sealed: 's30' },
      { sealed: 's5', validUntil: later(54).toISOString() },
    ]);
  });

  it('is stored together with at most four others, newest first', () => {
    expect(validSecrets(setAt(0, 1, 2, 3, 4, 5, 6), later(7))).toEqual(['s6', 's5', 's4', 's3', 's2']);
  });

  it('is absent if no processor is connected', () => {
    expect(validSecrets(undefined, NOW)).toEqual([]);
    expect(validSecrets({ connectedAt: NOW.toISOString(), accountId: 'acct_1' }, NOW)).toEqual([]);
  });
});

describe('the mode in which a payment processor is connected', () => {
  const connectedAt = NOW.toISOString();
  it.each<[string | null, ProcessorLink | undefined]>([
    [null, undefined],
    [null, { connectedAt }],
    [null, { connectedAt, signingSecrets: [] }],
    ['direct', { connectedAt, signingSecrets: [{ sealed: 's' }] }],
    ['connect', { connectedAt, accountId: 'acct_1' }],
    ['connect', { connectedAt, accountId: 'acct_1', signingSecrets: [{ sealed: 's' }] }],
  ])('is %s for the stored connection %j', (mode, link) => {
    expect(processorModeOf(link)).toBe(mode);
  });
});

describe('the stored connection to a payment processor', () => {
  it('keeps its start time when an account or a signing secret is added', () => {
    const direct = setAt(0);
    const both = withAccount(direct, 'acct_1', later(5));
    expect(both).toEqual({ ...direct, accountId: 'acct_1' });
    expect(withSigningSecret(both, 's9', later(9))).toMatchObject({
      connectedAt: NOW.toISOString(),
      accountId: 'acct_1',
    });
    expect(withAccount(undefined, 'acct_1', NOW)).toEqual({ connectedAt: NOW.toISOString(), accountId: 'acct_1' });
  });

  it('keeps only its signing secrets when its account is disconnected', () => {
    const direct = setAt(0)!;
    expect(withoutAccount(withAccount(direct, 'acct_1', NOW))).toEqual(direct);
    expect(withoutAccount(withAccount(undefined, 'acct_1', NOW))).toBeUndefined();
  });
});

it('the times at which DynamoDB deletes items of a processor connection are rounded up to whole seconds', () => {
  const odd = new Date('2026-11-20T15:00:00.001Z');
  const DAY_SECONDS = 86_400;
  const [onTime, rounded] = [NOW.getTime() / 1000, NOW.getTime() / 1000 + 1];
  expect([connectExpirySeconds(NOW), connectExpirySeconds(odd)]).toEqual([onTime + 600, rounded + 600]);
  expect([eventForgottenAtSeconds(NOW), eventForgottenAtSeconds(odd)]).toEqual([
    onTime + 90 * DAY_SECONDS,
    rounded + 90 * DAY_SECONDS,
  ]);
  expect([waitingForgottenAtSeconds(NOW), waitingForgottenAtSeconds(odd)]).toEqual([
    onTime + 30 * DAY_SECONDS,
    rounded + 30 * DAY_SECONDS,
  ]);
});
