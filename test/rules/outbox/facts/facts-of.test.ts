import { describe, expect, it } from 'vitest';
import type { AuditRow, Commission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { factIdFrom } from '#lib/service/outbox/facts/fact.ts';
import { approvalOf, approvalsDueBy, type FactItem, factsOf } from '#lib/service/outbox/facts/facts-of.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { RefundStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

const AT = '2026-11-20T15:00:00.000Z';
const CHANGED = '2026-11-20T16:00:00.000Z';
const CHAIN = 'afftest7';

const customer = (changes: Partial<Customer> = {}): FactItem => ({
  kind: 'customer',
  item: {
    id: 1,
    clickId: 'clk_1',
    programId: 7,
    partnerId: 3,
    shortLink: 'ana',
    status: 'click',
    firstClickAt: AT,
    visit: {},
    ...changes,
  },
});
const recorded = { id: 2, programId: 7, shortLink: 'ana', createdAt: AT };
const click = (changes: object = {}): FactItem => ({ kind: 'click', item: { ...recorded, ...changes } });
const lead = (changes: Partial<Lead> = {}): FactItem => ({
  kind: 'lead',
  item: { ...recorded, clickId: 'clk_1', state: 'provisional', mode: 'browser', ...changes },
});
const attribution = {
  clickId: 'clk_1',
  partnerId: 3,
  shortLink: 'ana',
  resolvedBy: 'click_id',
  identifier: 'x',
} as const;
const sale = (changes: Partial<Sale> = {}): FactItem => ({
  kind: 'sale',
  item: { id: 4, programId: 7, createdAt: AT, attribution, ...changes } as Sale,
});
const refund = (reason: RefundStep['reason'], changes: object = {}): FactItem => ({
  kind: 'refund',
  item: { ...recorded, reason, ...changes },
});
const testEvent = (type: 'click' | 'lead', changes: object = {}): FactItem => ({
  kind: 'testEvent',
  item: { ...recorded, isTest: true, keyed: true, type, ...changes },
});
const auditRow = (action: AuditRow['action'], n = 0, changes: Partial<AuditRow> = {}): AuditRow => ({
  at: `2026-11-20T15:00:0${n}.000Z`,
  actor: 'api',
  action,
  from: null,
  to: 'pending',
  amountCents: 980,
  reason: null,
  ...changes,
});
const commission = (history: readonly AuditRow[], changes: Partial<SaleCommission> = {}): FactItem => ({
  kind: 'commission',
  item: {
    id: 5,
    programId: 7,
    partnerId: 3,
    shortLink: 'ana',
    status: 'pending',
    holdUntil: '2026-12-05T15:00:00.000Z',
    history,
    ...changes,
  } as SaleCommission,
});
const payout = (status: Payout['status'] | undefined): FactItem => ({
  kind: 'payout',
  item: { id: 6, programId: 7, status, createdAt: AT } as Payout,
});
const partner = (changes: Partial<Partner> = {}): FactItem => ({
  kind: 'partner',
  item: { id: 3, programId: 7, name: 'Ana', email: 'a@b.test', status: 'active', links: [], createdAt: AT, ...changes },
});
const link = (changes: object = {}): FactItem => ({
  kind: 'link',
  item: {
    shortLink: 'ana',
    programId: 7,
    status: 'active',
    destinationUrl: 'https://a.test/',
    createdAt: AT,
    ...changes,
  },
});
const code = (status: 'active' | 'disabled' = 'active'): FactItem => ({
  kind: 'code',
  item: { code: 'SAVE10', programId: 7, partnerId: 3, status, createdAt: AT },
});
const program = (autoApprove: boolean): FactItem => ({ kind: 'program', item: { id: 7, autoApprove } as Program });
const notice = (kind: string): FactItem => ({
  kind: 'notice',
  item: { id: 'm', kind, createdAt: AT, data: { programId: 7, deadline: CHANGED } },
});

const told = (before: FactItem | undefined, after: FactItem | undefined) =>
  factsOf(before, after, CHANGED).map(({ type, timestamp }) => `${type} ${timestamp.slice(11, 19)}`);

describe('a change of an item in the table', () => {
  const FIRST = '15:00:00';
  const NOW = '16:00:00';
  const second = { version: 2, changedAt: CHANGED };
  it.each<[string, FactItem | undefined, FactItem | undefined, readonly string[]]>([
    ['a first click', undefined, customer(), [`click.recorded ${FIRST}`]],
    ['a customer created by a coupon code', undefined, customer({ source: 'code' }), []],
    ['a customer who becomes a lead', customer(), customer({ status: 'lead' }), []],
    ['a later click', undefined, click(), [`click.recorded ${FIRST}`]],
    ['an erased later click', click(), click(), []],
    ['a provisional lead', undefined, lead(), [`lead.recorded ${FIRST}`]],
    [
      'a lead settled at once',
      undefined,
      lead({ state: 'settled' }),
      [`lead.recorded ${FIRST}`, `lead.settled ${FIRST}`],
    ],
    ['a lead settled later', lead(), lead({ state: 'settled' }), [`lead.settled ${NOW}`]],
    [
      'a lead of a customer found by a coupon code',
      undefined,
      lead({ shortLink: undefined }),
      [`lead.recorded ${FIRST}`],
    ],
    ['an erased lead', lead({ state: 'settled', eventName: 'x' }), lead({ state: 'settled' }), []],
    ['a sale', undefined, sale(), [`sale.recorded ${FIRST}`]],
    ['a sale with an unchanged row', sale(), sale({ taxCents: 1 }), []],
    ['a refunded sale', sale(), sale({ refundedCents: 1, ...second }), [`sale.updated ${NOW}`]],
    [
      'a sale moved to another customer',
      sale(),
      sale({ attribution: { ...attribution, clickId: 'clk_2' }, ...second }),
      [`sale.reattributed ${NOW}`],
    ],
    ['a changed test sale', sale({ attribution: undefined }), sale({ attribution: undefined }), []],
    ['a refund', undefined, refund('refund'), [`sale.refunded ${FIRST}`]],
    ['a dispute', undefined, refund('chargeback'), [`sale.disputed ${FIRST}`]],
    ['a won dispute', undefined, refund('dispute_won'), [`sale.disputed ${FIRST}`]],
    ['a corrected refund', undefined, refund('correction'), [`sale.refunded ${FIRST}`]],
    ['a refund applied to a late commission', refund('refund'), refund('refund'), []],
    ['a test click', undefined, testEvent('click'), [`click.recorded ${FIRST}`]],
    ['a test lead', undefined, testEvent('lead', { keyed: false }), [`lead.recorded ${FIRST}`]],
    ['a test lead from a server', undefined, testEvent('lead'), [`lead.recorded ${FIRST}`, `lead.settled ${FIRST}`]],
    ['a test event without a program', undefined, testEvent('lead', { programId: undefined }), []],
    ['an existing test event', testEvent('lead'), testEvent('lead'), []],
    ['a payout completed at once', undefined, payout('made'), [`payout.created ${FIRST}`]],
    ['a payout that is started', undefined, payout('open'), []],
    ['a payout that is completed', payout('open'), payout('made'), [`payout.created ${NOW}`]],
    ['a payout that gets its reference', payout('made'), payout('made'), []],
    ['a payout from before steps existed, split by a rebuild', payout(undefined), payout('made'), []],
    ['a partner added by the brand', undefined, partner(), [`partner.added ${FIRST}`]],
    ['a partner who joins', undefined, partner({ joinedAt: CHANGED }), [`partner.added ${NOW}`]],
    ['an invited person', undefined, partner({ status: 'invited' }), []],
    [
      'an invited person who accepts',
      partner({ status: 'invited' }),
      partner({ joinedAt: '2026-11-20T15:30:00.000Z' }),
      ['partner.added 15:30:00'],
    ],
    ['a removed partner', partner(), partner({ status: 'removed' }), [`partner.removed ${NOW}`]],
    [
      'a partner who leaves',
      partner(),
      partner({ status: 'removed', leftAt: '2026-11-20T15:40:00.000Z' }),
      ['partner.removed 15:40:00'],
    ],
    ['a removed partner written by a restore', undefined, partner({ status: 'removed' }), []],
    ['a restored partner', partner({ status: 'removed' }), partner(), [`partner.added ${NOW}`]],
    ['a renamed partner', partner({ name: 'Anna' }), partner(), []],
    [
      'an applicant',
      undefined,
      partner({ status: 'applied', application: { appliedAt: '2026-11-20T15:50:00.000Z' } }),
      ['partner.applied 15:50:00'],
    ],
    ['an applicant in an older item', undefined, partner({ status: 'applied' }), [`partner.applied ${NOW}`]],
    ['a rejected applicant', partner({ status: 'applied' }), partner({ status: 'rejected' }), []],
    ['a link', undefined, link(), [`link.created ${FIRST}`]],
    ['a link that is switched off', link(), link({ status: 'inactive' }), []],
    ['a link without a program', undefined, link({ programId: undefined }), []],
    ['a code', undefined, code(), [`code.created ${FIRST}`]],
    ['a disabled code', code(), code('disabled'), []],
    ['a program', program(false), program(true), []],
    ['a key that is being replaced', undefined, notice('key_rotation_due'), [`key.rotation_due ${FIRST}`]],
    ['another mail', undefined, notice('terms_changed'), []],
    ['a mail in delivery', notice('key_rotation_due'), notice('key_rotation_due'), []],
    ['an item that expires', testEvent('lead'), undefined, []],
    ['an item without a type', undefined, undefined, []],
  ])('produces these facts: %s', (_, before, after, facts) => expect(told(before, after)).toEqual(facts));

  it.each<[string, FactItem]>([
    ['a customer', customer({ isTest: true })],
    ['a click', click({ shortLink: CHAIN })],
    ['a lead', lead({ shortLink: CHAIN })],
    ['a sale', sale({ attribution: { ...attribution, shortLink: CHAIN } })],
    ['a refund', refund('refund', { shortLink: CHAIN })],
    ['a commission', commission([auditRow('created')], { shortLink: CHAIN })],
    ['a link', link({ shortLink: CHAIN })],
  ])('produces no fact if it belongs to the run that verifies an integration: %s', (_, after) => {
    expect(told(undefined, after)).toEqual([]);
    expect(approvalsDueBy(undefined, after, CHANGED)).toBeUndefined();
  });
});

const types = (before: FactItem | undefined, after: FactItem) =>
  factsOf(before, after, CHANGED).map(({ type, timestamp }) => `${type} ${timestamp.slice(17, 19)}`);

describe('new rows in the history of a commission', () => {
  const created = auditRow('created');
  it.each<[AuditRow['action'], string]>([
    ['released', 'commission.released'],
    ['approved', 'commission.approved'],
    ['rejected', 'commission.rejected'],
    ['paid', 'commission.paid'],
    ['adjusted', 'commission.paid'],
    ['deducted', 'commission.reduced'],
    ['reversed', 'commission.reversed'],
    ['restored', 'commission.restored'],
    ['recalculated', 'commission.recalculated'],
  ])('with the action %s produce the fact %s', (action, type) => {
    expect(types(commission([created]), commission([created, auditRow(action, 1)]))).toEqual([`${type} 01`]);
  });

  it('produce a fact of its approval if the commission was granted by hand', () => {
    const granted = commission([auditRow('created', 0, { to: 'approved' })], { status: 'approved' });
    expect(types(undefined, granted)).toEqual(['commission.created 00', 'commission.approved 00']);
  });

  it('produce a fact that a rule holds the commission, but no second one when a won dispute restores that state', () => {
    const held = [auditRow('created', 0, { to: 'held' })];
    expect(types(undefined, commission(held, { status: 'held' }))).toEqual([
      'commission.created 00',
      'commission.held 00',
    ]);
    const reversed = [...held, auditRow('reversed', 1, { from: 'held', to: 'reversed' })];
    const restored = [...reversed, auditRow('restored', 2, { from: 'reversed', to: 'held' })];
    expect(types(commission(reversed), commission(restored))).toEqual(['commission.restored 02']);
  });

  it('produce one fact each, also if the commission is created after refunds of its sale', () => {
    const late = [created, auditRow('deducted', 1), auditRow('reversed', 2)];
    const all = ['commission.created 00', 'commission.reduced 01', 'commission.reversed 02'];
    expect(types(undefined, commission(late))).toEqual(all);
    expect(types(commission([created]), commission(late))).toEqual(all.slice(1));
    expect(types(commission(late), commission(late, { code: 'x' }))).toEqual([]);
  });

  it('produce separate facts even if two rows are identical', () => {
    const [one, two] = [auditRow('deducted', 1), auditRow('deducted', 1)];
    const ids = [
      ...factsOf(commission([created]), commission([created, one, two]), CHANGED),
      ...factsOf(commission([created, one]), commission([created, one, two]), CHANGED),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('produce no fact for a row that only merges older rows', () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((n) => auditRow('deducted', n));
    const joined = auditRow('deducted', 2, { amountCents: 1960 });
    expect(types(commission([created, a!, b!, c!]), commission([created, joined, c!, d!]))).toEqual([
      'commission.reduced 04',
    ]);
    expect(types(commission([created, a!, b!]), commission([created, joined, d!]))).toEqual(['commission.reduced 04']);
  });
});

const idsOf = (before: FactItem | undefined, after: FactItem) => factsOf(before, after, CHANGED).map(({ id }) => id);

describe('the id of a fact', () => {
  it('is the same each time the change is processed, begins with the time and contains no dot', () => {
    const ids = idsOf(lead(), lead({ state: 'settled' }));
    expect(idsOf(lead(), lead({ state: 'settled' }))).toEqual(ids);
    expect(ids).toEqual([expect.stringMatching(/^evt_[0-9a-z]{9}[0-9a-f]{24}$/)]);
    expect(ids[0]!.startsWith(factIdFrom(CHANGED))).toBe(true);
  });

  it('is the same whether a person or the end of the hold approves the commission', () => {
    const approved = commission([auditRow('created'), auditRow('approved', 1)], { status: 'approved' });
    const [byPerson] = factsOf(commission([auditRow('created')]), approved, CHANGED);
    expect(approvalOf(approved.item as Commission, byPerson!.timestamp)).toEqual(byPerson);
    const moved = approvalOf({ ...(approved.item as Commission), partnerId: 4 }, byPerson!.timestamp);
    expect(moved.id).not.toBe(byPerson!.id);
  });
});

describe('the time at which a fact of automatic approval is due', () => {
  const HOLD = '2026-12-05T15:00:00.000Z';
  const LATER = '2026-12-06T15:00:00.000Z';
  const rows = [auditRow('created')];
  const due = (before: FactItem | undefined, after: FactItem | undefined, at = CHANGED) =>
    approvalsDueBy(before, after, at)?.dueAt;

  it.each<[string, FactItem | undefined, FactItem | undefined, string, string | undefined]>([
    ['a new commission', undefined, commission(rows), CHANGED, HOLD],
    ['a commission without a hold', undefined, commission(rows, { holdUntil: AT }), CHANGED, AT],
    ['an approved commission', undefined, commission(rows, { status: 'approved' }), CHANGED, undefined],
    ['a reduced commission', commission(rows), commission(rows), CHANGED, undefined],
    ['a restored commission', commission(rows, { status: 'reversed' }), commission(rows), CHANGED, HOLD],
    ['a commission restored late', commission(rows, { status: 'reversed' }), commission(rows), LATER, LATER],
    ['a commission moved to another partner', commission(rows, { partnerId: 9 }), commission(rows), CHANGED, HOLD],
    ['a commission with a changed hold', commission(rows, { holdUntil: AT }), commission(rows), CHANGED, HOLD],
    ['a program that switches to automatic approval', program(false), program(true), CHANGED, CHANGED],
    ['a program that already approves automatically', program(true), program(true), CHANGED, undefined],
    ['a program that stops automatic approval', program(true), program(false), CHANGED, undefined],
    ['a new program', undefined, program(true), CHANGED, undefined],
    ['any other item', undefined, sale(), CHANGED, undefined],
    ['a deleted commission', commission(rows), undefined, CHANGED, undefined],
  ])(
    'is the end of the hold, the time of the change, or absent, as expected for %s',
    (_, before, after, at, expected) => expect(due(before, after, at)).toBe(expected),
  );
});

const typesOfNew = (item: FactItem) => factsOf(undefined, item, AT).map(({ type }) => type);

it.each(['bot', 'preview'] as const)('a click that is recorded as %s produces no fact', (quality) => {
  expect([...typesOfNew(customer({ quality })), ...typesOfNew(click({ quality }))]).toEqual([]);
});

it.each(['repeat', 'paid_ad'] as const)(
  'a click that is recorded as %s produces the fact click.recorded',
  (quality) => {
    expect(typesOfNew(customer({ quality }))).toEqual(['click.recorded']);
    expect(typesOfNew(click({ quality }))).toEqual(['click.recorded']);
  },
);
