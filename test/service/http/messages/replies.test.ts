import { expect, it } from 'vitest';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { AccountPlace } from '#lib/service/programs/program/place-of.ts';
import { placeReply } from '#lib/service/http/people/people-reply.ts';
import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { explainedSaleReply } from '#lib/service/http/conversions/explained-sale-reply.ts';

// No route deletes a partner's item, but reports must work even if one is missing.

const at = '2026-11-20T15:00:00.000Z';
const commission: SaleCommission = {
  id: 4,
  programId: 1,
  partnerId: 5,
  clickId: 'clk_1',
  saleId: 3,
  transactionId: 't',
  status: 'pending',
  commissionType: 'percent',
  commissionRate: 20,
  terms: { version: 1, from: 'program' },
  baseAmountCents: 4900,
  amountCents: 980,
  deductedCents: 0,
  currency: 'USD',
  refundState: 'none',
  platformFee: { amountCents: 172, reducedCents: 0, bps: 350, currency: 'USD' },
  occurredAt: at,
  holdUntil: at,
  createdAt: at,
  history: [],
};
const sale: Sale = {
  id: 3,
  programId: 1,
  transactionId: 't',
  amountCents: 4900,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source: 'api',
  occurredAt: at,
  createdAt: at,
  commissionState: 'failed',
  refundedCents: 0,
  attribution: { clickId: 'clk_1', partnerId: 5, shortLink: 'ana', resolvedBy: 'click_id', identifier: 'clk_1' },
};

it('the reply with a commission has no partner name if the partner does not exist', () => {
  expect(commissionReply({ commission: { ...commission, payoutStatus: undefined } })).toMatchObject({
    partner_id: 5,
    partner_name: null,
  });
});

it('the reply with personal terms has no name if the partner does not exist', () => {
  const terms = { version: 3, from: 'partner' } as const;
  expect(commissionReply({ commission: { ...commission, terms, payoutStatus: undefined } })).toMatchObject({
    terms: { ...terms, name: null },
  });
});

it('the reply with a payout line has no name and no e-mail address if the partner does not exist', () => {
  const item = { partnerId: 5, currency: 'USD', amountCents: 980, commissions: 1 } as const;
  const payout = {
    id: 9,
    programId: 1,
    status: 'made',
    steps: 1,
    createdAt: at,
    createdBy: 'account:1',
    items: [item],
  } as const;
  expect(payoutReply({ payout, items: [{ ...item, commissionIds: [4] }] }).items).toEqual([
    { partner_id: 5, partner_name: null, partner_email: null, currency: 'USD', amount_cents: 980, commission_ids: [4] },
  ]);
});

it('the reply about a sale says that its commission failed, and names the partner by id if the partner does not exist', () => {
  expect(explainedSaleReply({ sale, clicks: [], refunds: [] }).attribution).toEqual({
    resolved_by: 'click_id',
    identifier: 'clk_1',
    partner: { id: 5, name: null, short_link: 'ana' },
    overruled: null,
    text:
      'Customer clk_1 was found by click_id. The first click came through link ana of partner 5. ' +
      'Its commission could not be created yet.',
  });
});

it('the reply about a sale names the partner of a code that did not count, by id if that partner does not exist', () => {
  const attribution = { ...sale.attribution!, overruled: { partnerId: 7, by: 'code' } } as const;
  const { overruled, text } = explainedSaleReply({
    sale: { ...sale, attribution },
    clicks: [],
    refunds: [],
  }).attribution;
  expect(overruled).toEqual({ partner: { id: 7, name: null }, by: 'code' });
  expect(text).toMatch(
    /The payment also carried a code of partner 7, which did not count: the customer was another partner’s already\.$/,
  );
});

it('the reply with a coupon code has no partner name if the partner does not exist', () => {
  const code = { code: 'SAVE10', programId: 1, partnerId: 5, status: 'active', createdAt: at } as const;
  expect(codeReply({ code, redemptions: 0, sales: 0 })).toMatchObject({ partner_id: 5, partner_name: null });
});

it('the reply with an invitation names no inviter if the inviter’s account does not exist', () => {
  const workspace = { id: 1, name: 'Acme' };
  const membership = { role: 'member', invitedAt: at };
  const invitations = [{ workspace, membership, inviter: undefined }] as unknown as AccountPlace['invitations'];
  const account = { id: 2, email: 'kim@acme.test', name: 'Kim' } as Account;
  expect(placeReply(account, { workspace: undefined, invitations })).toEqual({
    account: { id: 2, email: 'kim@acme.test', name: 'Kim' },
    workspace: null,
    invitations: [{ workspace_id: 1, name: 'Acme', role: 'member', invited_by: null, invited_at: at }],
  });
});
