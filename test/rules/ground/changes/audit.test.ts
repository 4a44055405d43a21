import { describe, expect, it } from 'vitest';
import {
  accountOfTarget,
  actorOf,
  actorText,
  agentActor,
  auditExpirySeconds,
  changesBetween,
  isAct,
  memberTarget,
  writtenDownActor,
} from '#lib/service/ground/changes/audit.ts';

const NONE = {};

describe('changesBetween, which compares two states for the audit trail,', () => {
  it.each<[string, object, object, object]>([
    ['a new field', {}, { name: 'Ana' }, { name: { from: null, to: 'Ana' } }],
    ['a replaced value', { name: 'Ana', email: 'a@b.c' }, { name: 'Eve' }, { name: { from: 'Ana', to: 'Eve' } }],
    ['a removed field', { months: 12 }, { months: undefined }, { months: { from: 12, to: null } }],
    ['no unchanged field', { name: 'Ana', months: undefined }, { name: 'Ana', months: null }, NONE],
    [
      'no changed order of keys',
      { terms: { a: 1, b: [{ c: 1, d: 2 }] } },
      { terms: { b: [{ d: 2, c: 1 }], a: 1 } },
      NONE,
    ],
    ['a changed order of a list', { list: [1, 2] }, { list: [2, 1] }, { list: { from: [1, 2], to: [2, 1] } }],
    ['no field outside the given list', { name: 'Ana' }, {}, NONE],
  ])('lists %s', (_, before, change, changes) => {
    expect(changesBetween(before, change)).toEqual(changes);
  });
});

describe('isAct, which tells whether an act changed anything,', () => {
  const act = { action: 'program.changed', target: { type: 'program', id: 1 } } as const;

  it('returns true if `changes` is missing or not empty, and false if it is empty', () => {
    expect(isAct(act)).toBe(true);
    expect(isAct({ ...act, changes: changesBetween({}, { name: 'A' }) })).toBe(true);
    expect(isAct({ ...act, changes: {} })).toBe(false);
  });
});

it('a row of the audit trail stores who acted as kind, id and name, without e-mail address', () => {
  const account = { id: 1, name: 'Kim', email: 'kim@acme.test', workspaceId: 3 };
  expect(actorOf(account)).toEqual({ kind: 'account', id: 1, name: 'Kim', accountId: 1 });
  expect(actorOf(account, 'partner')).toEqual({ kind: 'partner', id: 1, name: 'Kim', accountId: 1 });
  expect(writtenDownActor(account)).toEqual({ kind: 'partner', id: 1, name: 'Kim' });
  expect(agentActor({ id: 2, name: 'Tool' })).toEqual({ kind: 'agent_key', id: 2, name: 'Tool' });
});

it.each([
  ['2026-11-20T15:00:00.001Z', '2028-11-20T15:00:01.000Z'],
  ['2028-02-29T00:00:00.000Z', '2030-03-01T00:00:00.000Z'],
])('an audit row written at %s expires at %s', (at, end) => {
  expect(auditExpirySeconds(new Date(at))).toBe(Date.parse(end) / 1_000);
});

it('a row of the audit trail shows who acted: the name of the account or of the agent key', () => {
  expect(actorText(actorOf({ id: 1, name: 'Kim' }))).toBe('Kim');
  expect(actorText(agentActor({ id: 2, name: 'Tool' }))).toBe('agent key Tool');
});

it('a row of the audit trail refers to a member by account id, or by e-mail address if the invitation is not accepted', () => {
  const email = 'kim@acme.test';
  const [joined, pending] = [memberTarget({ accountId: 1, email }), memberTarget({ email })];
  expect(joined).toEqual({ type: 'member', id: 1 });
  expect(pending).toEqual({ type: 'member', id: email, name: email });
  expect([joined, pending, { type: 'partner', id: 1 } as const].map(accountOfTarget)).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
