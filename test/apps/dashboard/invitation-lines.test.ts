import { expect, it } from 'vitest';
import { invitationsIn, refusalText } from '#lib/apps/dashboard/partners/invitation-lines.ts';
import { rowsIn, rowsText } from '#lib/apps/dashboard/program/tier-rows.ts';

it.each<[string, object[]]>([
  ['Ana Silva, ana@people.test', [{ name: 'Ana Silva', email: 'ana@people.test' }]],
  [
    ' Ana ; ana@people.test;Creators ; ANA10 \n\nBen\tben@people.test\t\tBEN10\r\n',
    [
      { name: 'Ana', email: 'ana@people.test', group: 'Creators', code: 'ANA10' },
      { name: 'Ben', email: 'ben@people.test', code: 'BEN10' },
    ],
  ],
  ['"Silva, ""Ana""", ana@people.test', [{ name: 'Silva, "Ana"', email: 'ana@people.test' }]],
  [
    'Ana Silva <ana@people.test>\n"Silva, Ana" <ana@people.test>; Creators; ANA10\r\n<ana@people.test>',
    [
      { name: 'Ana Silva', email: 'ana@people.test' },
      { name: 'Silva, Ana', email: 'ana@people.test', group: 'Creators', code: 'ANA10' },
      { email: 'ana@people.test' },
    ],
  ],
  ['ana@people.test,', [{ email: 'ana@people.test' }]],
  ['ana@people.test', [{ email: 'ana@people.test' }]],
  ['Ana, ana@people.test, , , more, even more', [{ name: 'Ana', email: 'ana@people.test' }]],
  [' \n ', []],
])('the pasted lines %j are read as invitations with name, e-mail address, group and code', (text, lines) => {
  expect(invitationsIn(text)).toEqual(lines);
});

it.each([
  ['Missing required fields: name, email', {}, 'Name and e-mail address are missing'],
  ['Missing required fields: name, email', { name: 'Ana', email: '' }, 'E-mail address is missing'],
  ['Missing required fields: name, email', { email: 'ana@people.test' }, 'Name is missing'],
  ['email must be a valid e-mail address', { email: 'ana' }, 'E-mail address must be a valid e-mail address'],
  ['Group not found', {}, 'Group not found'],
])('the refusal %j of the invitation %j reads %j', (error, line, text) => {
  expect(refusalText(error, line)).toBe(text);
});

it.each<[string, object[]]>([
  [
    '10 25\n50 30.5',
    [
      { from: '10', rate: '25' },
      { from: '50', rate: '30.5' },
    ],
  ],
  ['', []],
  [
    '? 25\n10',
    [
      { from: '?', rate: '25' },
      { from: '10', rate: '' },
    ],
  ],
])('the text %j is read as commission tiers, which are written as the same text', (text, rows) => {
  expect(rowsIn(text)).toEqual(rows);
  expect(rowsText(rowsIn(text))).toBe(text);
});

it('incomplete commission tiers are written as text that the service will refuse, and empty ones are left out', () => {
  expect(
    rowsText([
      { from: ' ', rate: '' },
      { from: '', rate: '25' },
      { from: '10', rate: ' ' },
    ]),
  ).toBe('? 25\n10');
});
