import { expect, it } from 'vitest';
import { ApiError } from '#lib/apps/web/api/api-error.ts';
import { enteredBeside } from '#lib/apps/web/forms/kept-entries.ts';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';

/** An API that answers the changes in order. */
function answering(...answers: (object | ApiError)[]) {
  const sent: unknown[] = [];
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    sent.push([method, path, body]);
    const answer = answers.shift()!;
    if (answer instanceof ApiError) throw answer;
    return answer as T;
  };
  return { sent, send };
}

const conflict = (changed: object) =>
  new ApiError('Changed meanwhile', {
    status: 409,
    conflict: { changed: { ...changed }, by: { name: 'Kim' }, at: '2026-11-20T15:00:00.000Z' },
  });
const shown = { name: 'Acme', rate: 20, list: ['a'] };

it('sendSeen sends a change with the former values that the user saw', async () => {
  const api = answering({ ...shown, rate: 25 });
  expect(await sendSeen(api, '/programs/1', shown, { rate: 25 })).toEqual({ ...shown, rate: 25 });
  expect(api.sent).toEqual([['PATCH', '/programs/1', { rate: 25, seen: { rate: 20 } }]]);
});

it('sendSeen sends a change again after a conflict if the stored values equal the sent ones, as after a lost reply', async () => {
  const api = answering(conflict({ rate: 25, list: ['b'] }), { ...shown, rate: 25, list: ['b'] });
  await sendSeen(api, '/programs/1', shown, { rate: 25, list: ['b'] });
  expect(api.sent.at(-1)).toEqual(['PATCH', '/programs/1', { rate: 25, list: ['b'], seen: { rate: 25, list: ['b'] } }]);
});

it.each([
  ['the stored value differs from the sent one', conflict({ rate: 22 })],
  ['one of two stored values differs from the sent one', conflict({ rate: 25, list: ['c'] })],
  ['the service refuses the change for another reason', new ApiError('Program is paused', { status: 409 })],
])('sendSeen, which sends a change with the values that the user saw, fails if %s', async (_, error) => {
  const api = answering(error);
  await expect(sendSeen(api, '/programs/1', shown, { rate: 25, list: ['b'] })).rejects.toBe(error);
});

const fieldsIn = ({ name, rate, months, on }: Readonly<Record<string, string>>) => ({
  name,
  terms: { rate, months },
  on: on === 'on',
});

it('enteredBeside returns what the user entered in all but the given fields, where it differs from the stored value', () => {
  const before = { name: 'Acme', rate: '20', months: '', on: 'on' };
  const entered = { name: 'Other', rate: '25', months: '3' };
  expect(enteredBeside(['terms'], entered, before, fieldsIn)).toEqual(
    new Map([
      ['name', 'Other'],
      ['on', undefined],
    ]),
  );
  expect(enteredBeside(['name', 'on'], entered, before, fieldsIn)).toEqual(
    new Map([
      ['rate', '25'],
      ['months', '3'],
    ]),
  );
});
