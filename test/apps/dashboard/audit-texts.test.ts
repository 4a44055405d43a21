import { expect, it } from 'vitest';
import { actionText, valueText } from '#lib/apps/dashboard/audit/audit-texts.ts';

it.each([
  ['program.key_generated', 'Program: key generated'],
  ['payout_details.changed', 'Payout details: changed'],
])('%s reads %s', (action, text) => expect(actionText(action)).toBe(text));

it.each([
  [null, 'none'],
  ['', 'none'],
  ['Ana', 'Ana'],
  [20, '20'],
  [false, 'false'],
  [['https://acme.test'], '["https://acme.test"]'],
  ['x'.repeat(81), `${'x'.repeat(80)}…`],
])('the value %j reads %s', (value, text) => expect(valueText(value)).toBe(text));
