import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';
import { keyStateAt, retirementNotice, rotationOf, rotationWarning } from '#lib/service/programs/keys/key-rotation.ts';

const DEADLINE = new Date('2026-12-01T09:30:15.500Z');
const MARKED_AT = new Date('2026-11-20T15:00:00.999Z');
const active: ProgramKey = { class: 'programKey', programId: 1 };
const marked: ProgramKey = {
  ...active,
  rotationMarkedAt: MARKED_AT.toISOString(),
  rotationDeadline: DEADLINE.toISOString(),
};

describe('the state of a program key at a given time', () => {
  it.each([
    ['an unmarked key', 'active', active, DEADLINE],
    ['a marked key at the time of the mark', 'marked', marked, MARKED_AT],
    ['a marked key just before its deadline', 'marked', marked, new Date(DEADLINE.getTime() - 1)],
    ['a marked key at its deadline', 'retired', marked, DEADLINE],
    ['a marked key after its deadline', 'retired', marked, new Date(DEADLINE.getTime() + 1)],
  ] as const)('of %s is %s', (_, state, key, now) => {
    expect(keyStateAt(key, now)).toBe(state);
  });

  it('changes over time only from active to marked for rotation, and from that to retired', () => {
    const order = ['active', 'marked', 'retired'];
    const times = fc.date({ noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(active, marked), times, times, (key, one, other) => {
        const [earlier, later] = one <= other ? [one, other] : [other, one];
        expect(order.indexOf(keyStateAt(key, later))).toBeGreaterThanOrEqual(order.indexOf(keyStateAt(key, earlier)));
      }),
    );
  });
});

it('a program key is marked for rotation only if both the time of the mark and the deadline are stored', () => {
  expect(rotationOf({ ...marked, rotationMarkedAt: undefined })).toBeUndefined();
  expect(rotationOf({ ...marked, rotationDeadline: undefined })).toBeUndefined();
  expect(rotationOf(marked)).toEqual({ markedAt: MARKED_AT, deadline: DEADLINE });
});

it('the warning before and the notice after the deadline of a key’s rotation name the date', () => {
  const rotation = { markedAt: MARKED_AT, deadline: DEADLINE };
  expect(rotationWarning(rotation)).toEqual({
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2026-12-01.',
    hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
  });
  expect(retirementNotice(rotation)).toEqual({
    message: 'This API key was retired on 2026-12-01.',
    hint: 'A workspace owner must create a new key in Settings → API Key.',
  });
});
