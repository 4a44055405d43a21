import { describe, expect, it } from 'vitest';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { PayoutPreview } from '#lib/service/earnings/recording/preview-payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { Redirect, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { payoutPreviewReply } from '#lib/service/http/earnings/payout-preview-reply.ts';
import { statementFile, statementReply } from '#lib/service/http/reports/statement-reply.ts';

const at = '2026-11-20T15:00:00.000Z';
const line: PayoutLine = {
  payoutId: 9,
  programId: 1,
  partnerId: 5,
  currency: 'USD',
  amountCents: 980,
  commissions: 2,
  status: 'recorded',
  createdAt: at,
};
const payout = { id: 0, programId: 1, status: 'open', steps: 0, createdAt: at, createdBy: 'account:1' } as const;
const item = {
  partnerId: 5,
  currency: 'USD',
  amountCents: 980,
  commissions: 2,
  commissionIds: [1, 2],
  partner: undefined,
};

describe('the reply to a preview', () => {
  const preview = {
    payout,
    sums: { USD: { lines: 1, commissions: 2, amountCents: 980 } },
    items: [{ ...item, flagged: 0, isNew: true, sameAccount: [6] }],
    leftOut: [{ ...item, reason: 'no_details' }],
    counts: { lines: 1, partners: 1, commissions: 2, leftOut: 1 },
  } as unknown as PayoutPreview;
  const changes = [{ from: 'program', id: 1, at } as const];

  it.each([
    ['owner', [6]],
    ['member', []],
  ] as const)('lists, for the role %s, these partners with the same payout account: %j', (role, sameAccount) => {
    const person = { partner_id: 5, partner_name: null, partner_email: null, currency: 'USD', amount_cents: 980 };
    expect(payoutPreviewReply(preview, changes, role)).toEqual({
      program_id: 1,
      status: 'open',
      through: null,
      reference: null,
      created_by: 'account:1',
      created_at: at,
      totals: { USD: 980 },
      items: [
        {
          ...person,
          payout: null,
          flagged: 0,
          new_since_last_payout: true,
          same_account: sameAccount,
          commission_ids: [1, 2],
        },
      ],
      left_out: [{ ...person, payout: null, reason: 'no_details' }],
      counts: { lines: 1, partners: 1, commissions: 2, left_out: 1 },
      changed_terms: [{ from: 'program', id: 1, name: null, at, by: null }],
    });
  });
});

it('the reply with a payout line has neither name nor e-mail address if the partner does not exist', () => {
  expect(payoutLineReply({ line, partner: undefined, paidTo: undefined })).toMatchObject({
    id: '5-USD',
    number: '9-5-USD',
    partner_name: null,
    partner_email: null,
    method: null,
  });
});

describe('the reply with a statement', () => {
  const deps = { config: { baseUrl: 'https://track.test', exports: {} } } as Pick<Deps, 'config'>;
  const asked = { path: '/api/partner/v1/programs/1/statements', query: { as: '5' } };

  it('is the file, a redirect to the stored file, or, while it is incomplete, a redirect to the next request for it', () => {
    expect(statementFile(deps, line, { text: 'number\r\n' }, asked)).toEqual(
      new TextFile('statement-9-5-USD.csv', 'text/csv; charset=utf-8', 'number\r\n'),
    );
    expect(statementFile(deps, line, { file: 'exports/one.csv' }, asked)).toBeInstanceOf(Redirect);
    expect(statementFile(deps, line, { cursor: 'abc' }, asked)).toEqual(
      new Redirect('/api/partner/v1/programs/1/statements/9-5-USD.csv?cursor=abc&as=5'),
    );
    expect(statementFile(deps, line, { cursor: 'abc' }, { ...asked, query: {} })).toEqual(
      new Redirect('/api/partner/v1/programs/1/statements/9-5-USD.csv?cursor=abc'),
    );
  });

  it('has null for unknown values, and the days on which the payout line was sent, was paid and ended', () => {
    const known = { payer: {}, payee: { taxId: '1234567890' }, itemsTotal: 0, items: [], note: '' };
    const program = { id: 1, name: 'Acme' };
    const nobody = { name: null, address: null, country: null, tax_id: null };
    const ended = { ...line, status: 'failed', reason: 'Closed', sentAt: at, paidAt: at, endedAt: at } as PayoutLine;
    expect(statementReply({ ...known, program, line: ended, paidTo: undefined }, true)).toMatchObject({
      payer: nobody,
      payee: { ...nobody, tax_id: expect.stringMatching(/7890$/) },
      paid_to: null,
      note: null,
      reason: 'Closed',
      sent_on: '2026-11-20',
      paid_on: '2026-11-20',
      ended_on: '2026-11-20',
    });
    expect(statementReply({ ...known, program, line, paidTo: undefined }, false)).toMatchObject({
      payee: { tax_id: '1234567890' },
      reason: null,
      reference: null,
      sent_on: null,
      paid_on: null,
      ended_on: null,
    });
  });
});
