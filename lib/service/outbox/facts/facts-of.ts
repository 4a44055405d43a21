import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import type { AuditRow, Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { type FactType, factIdOf } from '#lib/service/outbox/facts/fact.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { lineNumberOf, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { RefundStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';

/** The fields of an event that are needed for its fact. */
interface Recorded {
  readonly id: number;
  readonly programId: number;
  readonly isTest?: boolean;
  readonly shortLink?: string;
  readonly createdAt: string;
}

/** A test click or lead. If it has no program, it results in no fact. */
interface RecordedTest extends Omit<Recorded, 'programId'> {
  readonly programId?: number;
  readonly type: 'click' | 'lead';
  readonly keyed: boolean;
}

/** The notice that a program's key must be rotated. */
interface RotationNotice {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly data: { readonly programId: number; readonly deadline: string };
}

/** The item whose change may result in facts. */
export type FactItem =
  | { readonly kind: 'customer'; readonly item: Customer }
  | { readonly kind: 'click'; readonly item: Recorded & QualityOfClick }
  | { readonly kind: 'lead'; readonly item: Lead }
  | { readonly kind: 'sale'; readonly item: Sale }
  | { readonly kind: 'refund'; readonly item: Recorded & Pick<RefundStep, 'reason'> }
  | { readonly kind: 'testEvent'; readonly item: RecordedTest }
  | { readonly kind: 'commission'; readonly item: Commission }
  | { readonly kind: 'payout'; readonly item: Payout }
  | { readonly kind: 'line'; readonly item: PayoutLine }
  | { readonly kind: 'partner'; readonly item: Partner }
  | { readonly kind: 'link'; readonly item: ReferralLink }
  | { readonly kind: 'code'; readonly item: Code }
  | { readonly kind: 'program'; readonly item: Program }
  | { readonly kind: 'notice'; readonly item: RotationNotice };

/** A fact without its data. The data is loaded later, with current names and counts. */
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
  /** When the item was changed. Used for items that do not contain this time. */
  at: string,
) => readonly NewFact[];
type ItemOf<Kind extends FactItem['kind']> = Extract<FactItem, { kind: Kind }>['item'];

/**
 * Returns the facts that result from an item's change. The same change always gives the same facts. Internal changes,
 * such as those of index keys, and test events of integrations result in none.
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
  // The customer item records its first click. Customers created by a payment have no click, and clicks of bots are not
  // published.
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
  // A new line of a payout results in no fact, because the payout's own fact reports it.
  line: (item, before, at) =>
    item.status === (before?.status ?? 'recorded')
      ? []
      : [fact('payout.line_changed', `${lineNumberOf(item)} ${item.status} ${at}`, item, at)],
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
  // A dispute that was won is reported with the same fact type as the other steps of a dispute.
  dispute_won: 'sale.disputed',
};

const typesOfRows: Readonly<Record<AuditRow['action'], FactType>> = {
  created: 'commission.created',
  released: 'commission.released',
  approved: 'commission.approved',
  rejected: 'commission.rejected',
  reopened: 'commission.reopened',
  paid: 'commission.paid',
  // A later payout has paid what changed after the first payment.
  adjusted: 'commission.paid',
  unpaid: 'commission.unpaid',
  deducted: 'commission.reduced',
  reversed: 'commission.reversed',
  restored: 'commission.restored',
  corrected: 'commission.restored',
  recalculated: 'commission.recalculated',
};

interface NewRow {
  readonly row: AuditRow;
  /** The row's position in the history. It distinguishes rows with the same content. */
  readonly place: string;
}

/** The rows that a change has added. Counting does not show them, as merging rows may have shortened a long history. */
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

/**
 * Returns the facts of a history row. A commission may be approved or held at its creation. There is no separate row
 * for this, so the row of the creation then has two facts.
 */
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

/** The fact that a commission is approved, whether by a person or because its hold period ended. */
export const approvalOf = ({ id, programId, partnerId }: Commission, at: string): NewFact =>
  fact('commission.approved', `${id} ${partnerId}`, { programId }, at);

function partnerFacts(item: Partner, before: Partner | undefined, at: string): readonly NewFact[] {
  const { id, status, joinedAt, createdAt, leftAt, application } = item;
  if (status === before?.status) return [];
  const partnerFact = (type: FactType, timestamp: string) => [fact(type, `${id} ${timestamp}`, item, timestamp)];
  if (status === 'applied') return partnerFact('partner.applied', application?.appliedAt ?? at);
  // The fact is also published when a former partner joins again.
  if (status === 'active')
    return partnerFact('partner.added', newTime(joinedAt, before?.joinedAt) ?? (before ? at : createdAt));
  // Only a partner who leaves has a `leftAt`; a partner removed by the brand has none.
  return status === 'removed' && before ? partnerFact('partner.removed', newTime(leftAt, before.leftAt) ?? at) : [];
}

/** Returns a time if the change has set it, otherwise undefined. */
const newTime = (after: string | undefined, before: string | undefined): string | undefined =>
  after === before ? undefined : after;

/** The time at which some commissions of a program may become approved. */
export interface ApprovalsDue {
  readonly programId: number;
  readonly dueAt: string;
  /**
   * Set if the program begins to publish facts at `dueAt`. The commissions that are pending then are still to be
   * scheduled for the ends of their hold periods.
   */
  readonly isBeginning?: true;
}

function dueByProgram(before: Program, { id, factsSince, autoApprove }: Program, at: string): ApprovalsDue | undefined {
  if (before.factsSince === null && factsSince) return { programId: id, dueAt: factsSince, isBeginning: true };
  return !before.autoApprove && autoApprove ? { programId: id, dueAt: at } : undefined;
}

/**
 * Returns when a change may lead to automatic approvals: at the end of the hold period if a commission is now pending,
 * or immediately if an owner has switched on automatic approval for a program.
 */
export function approvalsDueBy(
  before: FactItem | undefined,
  after: FactItem | undefined,
  at: string,
): ApprovalsDue | undefined {
  if (after?.kind === 'program')
    return before?.kind === 'program' ? dueByProgram(before.item, after.item, at) : undefined;
  if (after?.kind !== 'commission' || after.item.status !== 'pending' || isOfChain(after)) return undefined;
  const { programId, partnerId, holdUntil, byHand } = after.item;
  if (byHand) return undefined;
  if (before?.kind !== 'commission') return { programId, dueAt: holdUntil };
  const { status, ...former } = before.item;
  // When a won dispute restores the commission, or when the commission moves to another partner, its hold period may
  // already be over. The approval is then due at once.
  const isUnchanged = status === 'pending' && former.partnerId === partnerId && former.holdUntil === holdUntil;
  return isUnchanged ? undefined : { programId, dueAt: holdUntil < at ? at : holdUntil };
}
