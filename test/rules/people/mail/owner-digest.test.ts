import { describe, expect, it } from 'vitest';
import { isListFull } from '#lib/service/programs/joining/application-queue.ts';
import { digestDayOf, type DigestRow, digestTime, programDigest } from '#lib/service/people/mail/owner-digest.ts';

const at = (time: string) => new Date(`2026-11-${time}:00.000Z`);

it('the digest of a day for owners is sent at 6:00 UTC on the next day', () => {
  expect(digestTime('2026-11-30')).toBe('2026-12-01T06:00:00.000Z');
});

describe('an event for the daily digest of owners', () => {
  it.each([
    ['of its own day', '20T15:00', '20T15:00', '2026-11-20'],
    ['of its own day, if it arrives late', '20T23:59', '21T04:59', '2026-11-20'],
    ['of its arrival day, if its own digest is about to be sent', '20T23:59', '21T05:00', '2026-11-21'],
    ['of its arrival day, if its own digest was sent', '20T15:00', '21T15:00', '2026-11-21'],
  ])('is put into the digest %s', (_, happened, now, day) => {
    expect(digestDayOf(at(happened), at(now))).toBe(day);
  });
});

const applied = (name: string, more: object = {}): DigestRow => ({
  programId: 1,
  of: 'application',
  name,
  isQueued: false,
  ...more,
});

describe('a program in a digest', () => {
  it('names its applicants, has all totals, and contains nothing from other programs', () => {
    const rows: DigestRow[] = [
      applied('Ana'),
      applied('https://evil.test'),
      applied('\u200b'),
      applied('Fake', { isQueued: true }),
      applied('Other', { programId: 2 }),
      { programId: 1, of: 'held' },
    ];
    expect(programDigest(1, 'Acme at acme.test', rows)).toEqual({
      programId: 1,
      programName: 'Acme at acme test',
      applications: 3,
      names: ['Ana', 'evil test', 'Somebody'],
      queued: 1,
      held: 1,
    });
    expect(programDigest(2, '\u200b', rows)).toMatchObject({ programName: 'A program', names: ['Other'], held: 0 });
  });

  it('lists at most twenty applicants by name, and counts all', () => {
    const rows = Array.from({ length: 33 }, (_, n) => applied(`P${n}`));
    const { names, applications } = programDigest(1, 'Acme', rows);
    expect([names.length, applications]).toEqual([20, 33]);
  });
});

it('the list of applications is full when applications use half of the places that a program has for partners', () => {
  expect([{}, { candidateCount: 4_999 }, { candidateCount: 5_000 }].map(isListFull)).toEqual([false, false, true]);
});
