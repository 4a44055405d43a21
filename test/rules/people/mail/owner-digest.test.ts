import { describe, expect, it } from 'vitest';
import { isListFull } from '#lib/service/programs/joining/application-queue.ts';
import { dayToTell, type DigestRow, digestTime, programDigest } from '#lib/service/people/mail/owner-digest.ts';

const at = (time: string) => new Date(`2026-11-${time}:00.000Z`);

it('goes at six on the next day', () => {
  expect(digestTime('2026-11-30')).toBe('2026-12-01T06:00:00.000Z');
});

describe('what happened is told', () => {
  it.each([
    ['on its day', '20T15:00', '20T15:00', '2026-11-20'],
    ['on its day, where it is known late', '20T23:59', '21T04:59', '2026-11-20'],
    [
      'on the day on which it is known, where the digest of its own is about to go',
      '20T23:59',
      '21T05:00',
      '2026-11-21',
    ],
    ['on the day on which it is known, where that digest has gone', '20T15:00', '21T15:00', '2026-11-21'],
  ])('%s', (_, happened, now, day) => {
    expect(dayToTell(at(happened), at(now))).toBe(day);
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
  it('has the names of those who are listed, the numbers of all, and nothing of other programs', () => {
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

  it('names twenty', () => {
    const rows = Array.from({ length: 33 }, (_, n) => applied(`P${n}`));
    const { names, applications } = programDigest(1, 'Acme', rows);
    expect([names.length, applications]).toEqual([20, 33]);
  });
});

it('a list is full of applications where half of it is', () => {
  expect([{}, { candidateCount: 4_999 }, { candidateCount: 5_000 }].map(isListFull)).toEqual([false, false, true]);
});
