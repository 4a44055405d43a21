import { expect, it } from 'vitest';
import { actionText, changeTexts } from '#lib/apps/dashboard/audit/audit-texts.ts';
import type { AuditEntry } from '#lib/wire/audit.ts';

const status = (to: string): AuditEntry['changes'] => ({ status: { from: null, to } });

it.each([
  ['program.key_generated', 'account', {}, 'Program: key generated'],
  ['payout_details.changed', 'partner', {}, 'Payout details: changed'],
  ['partner.added', 'account', status('invited'), 'Partner: added'],
  ['partner.added', 'partner', status('active'), 'Joined the program'],
  ['partner.added', 'partner', status('applied'), 'Applied to the program'],
] as const)('%s by %s with %j reads %s', (action, kind, changes, text) =>
  expect(actionText({ action, actor: { kind, id: 1, name: 'Ana', email: null }, changes })).toBe(text),
);

it.each([
  [{ name: { from: null, to: 'Ana' } }, ['name: Ana']],
  [{ name: { from: 'Ana', to: null } }, ['name: Ana → none']],
  [{ reference: { from: '', to: 'A-1' } }, ['reference: none → A-1']],
  [{ window_days: { from: 20, to: 30 } }, ['window days: 20 → 30']],
  [{ auto_approve: { from: true, to: false } }, ['auto approve: true → false']],
  [{ domains: { from: null, to: ['https://acme.test'] } }, ['domains: ["https://acme.test"]']],
  [{ text: { from: null, to: 'x'.repeat(81) } }, [`text: ${'x'.repeat(80)}…`]],
  [{ minimum_payout_cents: { from: 0, to: 100 } }, ['minimum payout cents: 0 → 100']],
  [
    { amount_cents: { from: null, to: 2_500 }, currency: { from: null, to: 'USD' } },
    ['amount: $25.00', 'currency: USD'],
  ],
  [
    { minimum_payout_cents: { from: 100, to: 200 }, currency: { from: 'USD', to: 'EUR' } },
    ['minimum payout: $1.00 → €2.00', 'currency: USD → EUR'],
  ],
  [{ totals: { from: null, to: { USD: 2_500, EUR: 100 } } }, ['totals: €1.00 and $25.00']],
  [
    { accepted_terms: { from: { version: 1, at: '2026-11-01' }, to: { version: 2, at: '2026-11-02' } } },
    ['accepted terms: version 1 → version 2'],
  ],
])('the changes %j read %j', (changes, texts) => expect(changeTexts(changes)).toEqual(texts));
