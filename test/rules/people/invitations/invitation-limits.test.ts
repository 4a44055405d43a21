import { describe, expect, it } from 'vitest';
import {
  checkInvitedPerson,
  checkRecipients,
  countedInvitations,
  countedUntilSeconds,
  isNewRecipient,
  mostRecipients,
} from '#lib/service/people/invitations/invitation-limits.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString();
const sent = (programId: number, at = ago(0), workspaceId = programId) => ({ programId, workspaceId, at });
const retryAfter = (check: () => void): unknown => {
  try {
    return check();
  } catch (error) {
    return (error as { parts: { typed: { retry_after_seconds: number } } }).parts.typed.retry_after_seconds;
  }
};

it('every invitation of the last seven days counts towards the limits, and none before', () => {
  const all = [sent(1, ago(7 * DAY_MS)), sent(2, ago(7 * DAY_MS - 1)), sent(3)];
  expect(countedInvitations(all, NOW)).toEqual(all.slice(1));
  expect(countedUntilSeconds(NOW)).toBe(NOW.getTime() / 1_000 + 7 * 86_400);
});

describe('a person whom a brand invites', () => {
  it('can be invited once per program in seven days; the refusal says how many seconds to wait', () => {
    const counted = [sent(1, ago(6 * DAY_MS)), sent(2)];
    expect(retryAfter(() => checkInvitedPerson(counted, 1, NOW))).toBe(86_400);
    expect(retryAfter(() => checkInvitedPerson([sent(1, ago(7 * DAY_MS - 1))], 1, NOW))).toBe(1);
    expect(retryAfter(() => checkInvitedPerson(counted, 3, NOW))).toBeUndefined();
  });

  it('can be invited three times in seven days by all programs together; the refusal does not reveal when others invited', () => {
    const counted = [sent(1, ago(6 * DAY_MS)), sent(2), sent(3)];
    expect(retryAfter(() => checkInvitedPerson(counted, 4, NOW))).toBe(7 * 86_400);
    expect(() => checkInvitedPerson(counted, 4, NOW)).toThrow('Try again in 168 hours.');
  });
});

it('a person is a new recipient for a workspace unless that workspace invited the person in the last seven days', () => {
  expect(isNewRecipient([], 1)).toBe(true);
  expect(isNewRecipient([sent(5, ago(0), 2)], 1)).toBe(true);
  expect(isNewRecipient([sent(5, ago(0), 1)], 1)).toBe(false);
});

describe('the number of new people that a workspace may invite per day', () => {
  const limits = { atFirst: 50, later: 500 };
  it.each([
    [30 * DAY_MS, 10, 500],
    [30 * DAY_MS - 1, 10, 50],
    [30 * DAY_MS, 9, 50],
  ])('is, for a workspace that is %d ms old with %d accepted invitations, %d', (age, accepted, most) => {
    expect(mostRecipients(limits, { createdAt: ago(age) }, accepted, NOW)).toBe(most);
  });

  it('is at least the limit for new workspaces, even if the limit for older ones is configured lower', () => {
    expect(mostRecipients({ atFirst: 50, later: 5 }, { createdAt: ago(90 * DAY_MS) }, 10, NOW)).toBe(50);
  });

  it('is used up by invitations, and is available again at midnight UTC', () => {
    expect(retryAfter(() => checkRecipients(49, 50, NOW))).toBeUndefined();
    expect(retryAfter(() => checkRecipients(50, 50, NOW))).toBe(9 * 3_600);
    expect(retryAfter(() => checkRecipients(0, 0, NOW))).toBe(9 * 3_600);
  });
});
