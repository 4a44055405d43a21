import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import type { AuditRow, Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { type FactType, factIdOf } from '#lib/service/outbox/facts/fact.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { RefundStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';

/** An event as far as a fact depends on it. */
interface Recorded {
  readonly id: number;
  readonly programId: number;
  readonly isTest?: boolean;
  readonly shortLink?: string;
  readonly createdAt: string;
}

/** A test click or lead. One that names no program is nobody's. */
interface RecordedTest extends Omit<Recorded, 'programId'> {
  readonly programId?: number;
  readonly type: 'click' | 'lead';
  readonly keyed: boolean;
}

/** That a program's key has to be replaced. */
interface RotationNotice {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly data: { readonly programId: number; readonly deadline: string };
}

/** An item whose changes are facts, at one moment. */
export type FactItem =
  | { readonly kind: 'customer'; readonly item: Customer }
  | { readonly kind: 'click'; readonly item: Recorded & QualityOfClick }
  | { readonly kind: 'lead'; readonly item: Lead }
  | { readonly kind: 'sale'; readonly item: Sale }
  | { readonly kind: 'refund'; readonly item: Recorded & Pick<RefundStep, 'reason'> }
  | { readonly kind: 'testEvent'; readonly item: RecordedTest }
  | { readonly kind: 'commission'; readonly item: Commission }
  | { readonly kind: 'payout'; readonly item: Payout }
  | { readonly kind: 'partner'; readonly item: Partner }
  | { readonly kind: 'link'; readonly item: ReferralLink }
  | { readonly kind: 'code'; readonly item: Code }
  | { readonly kind: 'program'; readonly item: Program }
  | { readonly kind: 'notice'; readonly item: RotationNotice };

/** A fact without its row, which is read with names and figures. */
export interface NewFact {
  readonly id: string;
  readonly type: FactType;
  readonly programId: number;
  readonly isTest: boolean;
  readonly timestamp: string;
}

type Change<Kind extends FactItem['kind']> = (
  after: ItemOf<Kind>,
  before: ItemOf<Kind> | undefined,
  /** When the item was changed, for what does not say so itself. */
  at: string,
) => readonly NewFact[];
type ItemOf<Kind extends FactItem['kind']> = Extract<FactItem, { kind: Kind }>['item'];

/**
 * What a change of an item tells other systems. The same change gives the same facts, however often it is looked at.
 * Changes that nobody sees, such as those of listings, give none, and neither does a verification chain.
 * @param at when the item was changed
 */
export function factsOf(before: FactItem | undefined, after: FactItem | undefined, at: string): readonly NewFact[] {
  if (!after || isOfChain(after)) return [];
  const change = changes[after.kind] as Change<FactItem['kind']>;
  return change(after.item, before?.item, at);
}

const isOfChain = ({ kind, item }: FactItem): boolean =>
  (kind === 'customer' && item.isTest === true) ||
  ('shortLink' in item && isTestLink(item.shortLink ?? '')) ||
  ('attribution' in item && isTestLink(item.attribution?.shortLink ?? ''));

const fact = (
  type: FactType,
  source: string | number,
  { programId, isTest = false }: { readonly programId: number; readonly isTest?: boolean },
  timestamp: string,
): NewFact => ({ id: factIdOf(type, String(source), timestamp), type, programId, isTest, timestamp });

const changes: { readonly [Kind in FactItem['kind']]: Change<Kind> } = {
  // The first click is the customer's item; one whom a payment made has none. Of a bot's click nobody is told.
  customer: (item, before) =>
    before || item.source !== undefined || isAutomatic(item)
      ? []
      : [fact('click.recorded', item.id, item, item.firstClickAt)],
  click: (item, before) => (before || isAutomatic(item) ? [] : [fact('click.recorded', item.id, item, item.createdAt)]),
  lead: (item, before, at) => [
    ...(before ? [] : [fact('lead.recorded', item.id, item, item.createdAt)]),
    ...(item.state === 'settled' && before?.state !== 'settled'
      ? [fact('lead.settled', item.id, item, before ? at : item.createdAt)]
      : []),
  ],
  sale: (item, before) => {
    if (!before) return [fact('sale.recorded', item.id, item, item.createdAt)];
    const version = versionOf(item);
    if (version === versionOf(before)) return [];
    const isMoved = item.attribution?.clickId !== before.attribution?.clickId;
    return [fact(isMoved ? 'sale.reattributed' : 'sale.updated', `${item.id} ${version}`, item, changedAtOf(item))];
  },
  refund: (item, before) => (before ? [] : [fact(refundFacts[item.reason], item.id, item, item.createdAt)]),
  testEvent: ({ programId, ...item }, before) => {
    if (before || programId === undefined) return [];
    const types: readonly FactType[] =
      item.type === 'click'
        ? ['click.recorded']
        : ['lead.recorded', ...(item.keyed ? (['lead.settled'] as const) : [])];
    return types.map((type) => fact(type, item.id, { ...item, programId }, item.createdAt));
  },
  commission: (item, before) => newRows(item, before).flatMap((row) => factsOfRow(item, row)),
  payout: (item, before, at) =>
    item.status === 'made' && (!before || before.status === 'open')
      ? [fact('payout.created', item.id, item, before ? at : item.createdAt)]
      : [],
  partner: partnerFacts,
  link: ({ programId, shortLink, createdAt }, before) =>
    before || programId === undefined ? [] : [fact('link.created', shortLink, { programId }, createdAt)],
  code: (item, before) =>
    before ? [] : [fact('code.created', `${item.programId} ${item.code}`, item, item.createdAt)],
  program: () => [],
  notice: ({ id, kind, data, createdAt }, before) =>
    before || kind !== 'key_rotation_due' ? [] : [fact('key.rotation_due', id, data, createdAt)],
};

const refundFacts: Readonly<Record<RefundStep['reason'], FactType>> = {
  refund: 'sale.refunded',
  correction: 'sale.refunded',
  duplicate: 'sale.refunded',
  chargeback: 'sale.disputed',
  // The last step of a dispute.
  dispute_won: 'sale.disputed',
};

const typesOfRows: Readonly<Record<AuditRow['action'], FactType>> = {
  created: 'commission.created',
  released: 'commission.released',
  approved: 'commission.approved',
  rejected: 'commission.rejected',
  paid: 'commission.paid',
  // A later payout has settled what changed since it was paid.
  adjusted: 'commission.paid',
  deducted: 'commission.reduced',
  reversed: 'commission.reversed',
  restored: 'commission.restored',
  corrected: 'commission.restored',
  recalculated: 'commission.recalculated',
};

interface NewRow {
  readonly row: AuditRow;
  /** Tells rows apart that say the same. */
  readonly place: string;
}

/** Rows that a change has added. In a history that has become too long two old ones may have become one. */
function newRows({ history }: Commission, before: Commission | undefined): NewRow[] {
  const former = before?.history ?? [];
  const grown = history.length - former.length;
  const last = history.slice(0, history.length - grown).findLastIndex((row) => isSame(row, former.at(-1)));
  const first = last < 0 && before ? history.length - Math.max(1, grown) : last + 1;
  return history.slice(first).map((row, index) => ({ row, place: `${former.length} ${index}` }));
}

const rowFields = ['at', 'actor', 'action', 'from', 'to', 'amountCents', 'reason'] as const;
const isSame = (row: AuditRow, other: AuditRow | undefined): boolean =>
  rowFields.every((field) => row[field] === other?.[field]);

/** A manual commission is approved with its creation, and a rule holds one with its creation alone. */
const factsOfRow = (commission: Commission, { row, place }: NewRow): NewFact[] => {
  const { id } = commission;
  const source = `${id} ${place} ${JSON.stringify([row.at, row.action, row.to, row.amountCents])}`;
  if (row.action === 'approved') return [approvalOf(commission, row.at)];
  return [
    fact(typesOfRows[row.action], source, commission, row.at),
    ...(row.action === 'created' && row.to === 'approved' ? [approvalOf(commission, row.at)] : []),
    ...(row.action === 'created' && row.to === 'held' ? [fact('commission.held', source, commission, row.at)] : []),
  ];
};

/** That a commission is approved, by a person, or by the end of its hold. */
export const approvalOf = ({ id, programId, partnerId }: Commission, at: string): NewFact =>
  fact('commission.approved', `${id} ${partnerId}`, { programId }, at);

function partnerFacts(item: Partner, before: Partner | undefined, at: string): readonly NewFact[] {
  const { id, status, joinedAt, createdAt, leftAt, application } = item;
  if (status === before?.status) return [];
  const told = (type: FactType, timestamp: string) => [fact(type, `${id} ${timestamp}`, item, timestamp)];
  if (status === 'applied') return told('partner.applied', application?.appliedAt ?? at);
  // Also one who is a partner again.
  if (status === 'active')
    return told('partner.added', newTime(joinedAt, before?.joinedAt) ?? (before ? at : createdAt));
  // Who left says when; the brand's removal does not.
  return status === 'removed' && before ? told('partner.removed', newTime(leftAt, before.leftAt) ?? at) : [];
}

/** A time that a change has set. */
const newTime = (after: string | undefined, before: string | undefined): string | undefined =>
  after === before ? undefined : after;

/** That a time may bring approvals. */
export interface ApprovalsDue {
  readonly programId: number;
  readonly dueAt: string;
}

/**
 * When the end of its hold may approve a commission that a change leaves pending; or when a program began to approve by
 * itself, which may approve all of those whose hold is over.
 */
export function approvalsDueBy(
  before: FactItem | undefined,
  after: FactItem | undefined,
  at: string,
): ApprovalsDue | undefined {
  if (after?.kind === 'program') {
    const hasBegun = before?.kind === 'program' && !before.item.autoApprove && after.item.autoApprove;
    return hasBegun ? { programId: after.item.id, dueAt: at } : undefined;
  }
  if (after?.kind !== 'commission' || after.item.status !== 'pending' || isOfChain(after)) return undefined;
  const { programId, partnerId, holdUntil } = after.item;
  if (before?.kind !== 'commission') return { programId, dueAt: holdUntil };
  const { status, ...former } = before.item;
  // A won dispute has restored it, or it is another partner's now: its hold may be over.
  const isUnchanged = status === 'pending' && former.partnerId === partnerId && former.holdUntil === holdUntil;
  return isUnchanged ? undefined : { programId, dueAt: holdUntil < at ? at : holdUntil };
}
