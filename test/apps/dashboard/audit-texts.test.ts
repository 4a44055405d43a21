import { expect, it } from 'vitest';
import { targetPage } from '#lib/apps/dashboard/audit/target-page.ts';
import { actionText, changeTexts } from '#lib/apps/dashboard/audit/audit-texts.ts';
import { actionOptions } from '#lib/apps/dashboard/audit/audit-actions.ts';
import { actorOptions } from '#lib/apps/dashboard/audit/audit-actors.ts';
import { auditActions } from '#lib/service/ground/changes/audit.ts';
import { dateText, timeText } from '#lib/apps/web/format.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

const status = (to: string): AuditEntry['changes'] => ({ status: { from: null, to } });

const masked = (from: string | null): AuditEntry['changes'] => ({ masked: { from, to: '****2' } });

it.each([
  ['program.key_generated', 'account', {}, 'Program: key generated'],
  ['payout_details.changed', 'partner', {}, 'Payout details: changed'],
  ['payout_details.changed', 'partner', masked(null), 'Payout details: set'],
  ['payout_details.changed', 'partner', masked('****1'), 'Payout details: changed'],
  ['partner.added', 'account', status('invited'), 'Partner: added'],
  ['partner.added', 'partner', status('active'), 'Joined the program'],
  ['partner.added', 'partner', status('applied'), 'Applied to the program'],
] as const)(
  'an entry %s in the audit trail, made by %s with the changes %j, is shown as “%s”',
  (action, kind, changes, text) =>
    expect(actionText({ action, actor: { kind, id: 1, name: 'Ana', email: null }, changes })).toBe(text),
);

it('the audit trail can be filtered by members, by others whose changes it shows, and by the actor chosen before', () => {
  const member = {
    account_id: 1,
    email: 'kim@acme.test',
    name: null,
    role: 'owner',
    status: 'active',
    joined_at: null,
  } as const;
  const invited = { ...member, account_id: null, email: 'lee@acme.test' };
  const entries = [
    { actor: { kind: 'account', id: 1, name: 'Kim', email: null } },
    { actor: { kind: 'account', id: 2, name: 'Former', email: null } },
    { actor: { kind: 'partner', id: 3, name: 'Ana', email: null } },
    { actor: { kind: 'agent_key', id: 4, name: 'CI', email: null } },
  ] as const;
  const all = [
    ['1', 'kim@acme.test'],
    ['2', 'Former'],
    ['3', 'Ana, a partner'],
    ['4', 'CI, a tool'],
  ];
  expect(actorOptions([member, invited], entries, '')).toEqual(all);
  expect(actorOptions([member, invited], entries, '4')).toEqual(all);
  expect(actorOptions([member], [], '9')).toEqual([all[0], ['9', 'Number 9']]);
});

it('each action of the audit trail can be chosen, in the order of its words', () => {
  expect(actionOptions.map(([action]) => action).toSorted()).toEqual([...auditActions].toSorted());
  expect(actionOptions.slice(0, 2)).toEqual([
    ['billing.changed', 'Billing: changed'],
    ['brand.changed', 'Brand: changed'],
  ]);
});

it('an entry for many items in the audit trail is shown with their number', () => {
  const actor = { kind: 'account', id: 1, name: 'Ana', email: null } as const;
  expect(actionText({ action: 'commission.approved', actor, changes: {}, count: 1_200 })).toBe(
    '1,200 commissions: approved',
  );
});

it.each([
  [{ name: { from: null, to: 'Ana' } }, ['Name: Ana']],
  [{ name: { from: 'Ana', to: null } }, ['Name: Ana → none']],
  [{ reference: { from: '', to: 'A-1' } }, ['Reference: none → A-1']],
  [{ attribution_window_days: { from: 20, to: 30 } }, ['Attribution window: 20 days → 30 days']],
  [{ auto_approve: { from: true, to: false } }, ['Approve by itself when the hold is over: on → off']],
  [{ domains: { from: null, to: ['https://acme.test'] } }, ['Domains: https://acme.test']],
  [{ tiers: { from: null, to: [] } }, ['Higher rates: none']],
  [
    { held_until: { from: null, to: '2026-11-23T20:00:32.277Z' } },
    [`Held until: ${timeText('2026-11-23T20:00:32.277Z')}`],
  ],
  [{ text: { from: null, to: 'x'.repeat(81) } }, [`Text: ${'x'.repeat(80)}…`]],
  [{ minimum_payout_cents: { from: 0, to: 100 } }, ['Minimum payout: 0 → 100']],
  [
    { amount_cents: { from: null, to: 2_500 }, currency: { from: null, to: 'USD' } },
    ['Amount: $25.00', 'Currency: USD'],
  ],
  [
    { minimum_payout_cents: { from: 100, to: 200 }, currency: { from: 'USD', to: 'EUR' } },
    ['Currency: USD → EUR', 'Minimum payout: $1.00 → €2.00'],
  ],
  [
    {
      tiers: {
        from: [],
        to: [
          { from_sales: 10, rate: 25 },
          { from_sales: 50, rate: 30 },
        ],
      },
    },
    ['Higher rates: none → 10 25, 50 30'],
  ],
  [
    { join: { from: 'closed', to: 'open' } },
    ['Who becomes a partner: Only people whom you add or invite → Everyone who asks'],
  ],
  [
    { rules: { from: { velocity: 'off', paid_ad: 'hold' }, to: { velocity: 'hold', paid_ad: 'hold' } } },
    ['Unusual speed: Do nothing → Hold it for review'],
  ],
  [
    {
      terms: { from: { commission_rate: 20, hold_period_days: 15 }, to: { commission_rate: 30, hold_period_days: 15 } },
    },
    ['Rate: 20 → 30'],
  ],
  [
    { terms: { from: null, to: { commission_type: 'percent' } } },
    ['Commission: Percent of each sale, renewals excluded'],
  ],
  [
    { rejection_reason: { from: null, to: 'Spam' }, status: { from: 'pending', to: 'rejected' } },
    ['Status: pending → rejected', 'Rejection reason: Spam'],
  ],
  [
    { welcome: { from: null, to: 'Hello' }, accent_color: { from: null, to: '#3b54d6' } },
    ['Color: #3b54d6', 'Welcome: Hello'],
  ],
  [
    { logo: { from: null, to: { type: 'image/png', bytes: 900, width: 128, height: 64, sha256: 'a1' } } },
    ['Logo: 128 × 64 pixels'],
  ],
  [{ payout_days: { from: null, to: [1, 15] } }, ['Payout days: 1, 15']],
  [
    { through: { from: null, to: '2026-11-21' }, except_partners: { from: null, to: 1 } },
    ['Partners left out: 1', `Last day of sales (UTC): ${dateText('2026-11-21')}`],
  ],
  [{ format: { from: null, to: 'sepa' } }, ['Format: SEPA transfer (pain.001)']],
  [{ format: { from: null, to: 'csv' } }, ['Format: csv']],
  [{ totals: { from: null, to: { USD: 2_500, EUR: 100 } } }, ['Totals: €1.00 and $25.00']],
  [
    { accepted_terms: { from: { version: 1, at: '2026-11-01' }, to: { version: 2, at: '2026-11-02' } } },
    ['Accepted terms: version 1 → version 2'],
  ],
])('the changes %j in the audit trail are shown as %j', (changes, texts) =>
  expect(changeTexts(changes)).toEqual(texts),
);

it.each([
  ['member', 'jo@people.test', null, '/members'],
  ['program', '7', 7, '/programs/7/settings'],
  ['group', '2', 7, '/programs/7/settings/terms#groups'],
  ['partner', '3', 7, '/programs/7/partners/3'],
  ['partner', '3', null, undefined],
  ['link', 'ana blog', 7, '/programs/7/links/ana%20blog'],
  ['code', 'SAVE', 7, '/programs/7/codes'],
  ['sale', 'in 1', 7, '/programs/7/sale?transaction=in%201'],
  ['payout', '4', 7, '/programs/7/payouts/4'],
  ['customer', 'clk_1', 7, '/programs/7/customers/clk_1'],
  ['payment', 'in_1', 7, '/programs/7/payments'],
  ['commission', '5', 7, undefined],
  ['workspace', '1', null, undefined],
] as const)('an entry in the audit trail about the %s %s of the program %s links to %s', (type, id, program_id, page) =>
  expect(targetPage({ type, id, name: null, program_id })).toBe(page),
);

it('a partner in the audit trail is shown by name if it is known, and else by id', () => {
  const changes = { partner_id: { from: 1, to: 2 } };
  expect(changeTexts(changes, (id) => (id === 1 ? 'Ana' : undefined))).toEqual(['Partner: Ana → 2']);
});
