import { overruledClaimText } from '#lib/service/earnings/commissions/overruled-claim.ts';
import type {
  AuditRow,
  Commission,
  LeadCommission,
  SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { moneyText } from '#lib/service/ground/values/money.ts';
import { ordinal } from '#lib/service/ground/values/ordinal.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { historyOfPartner } from '#lib/service/conversions/attribution/reattribution.ts';
import type { RefundStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

/** A click that preceded a sale. */
export interface ClickOnTheWay {
  readonly id: number;
  readonly at: string;
  readonly shortLink: string;
  readonly partnerId?: number;
  readonly partnerName?: string;
  /** Whether the click created the customer, so that its partner is credited with the sales. */
  readonly isFirst: boolean;
}

/** A recorded refund, dispute or won dispute of a sale. */
export interface RecordedRefund {
  readonly id: number;
  readonly createdAt: string;
  readonly reason: RefundStep['reason'];
  readonly refundReason?: string;
  /** The amount of this step; negative when a dispute was won. */
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly deductionCents: number;
}

/** A sale with its commission and refunds. */
export interface SaleOutcome {
  readonly sale: Sale;
  /** The sale's commission with its present status. */
  readonly commission?: SaleCommission;
  /** The refunds of the sale, oldest first. */
  readonly refunds: readonly RecordedRefund[];
}

/** The history of a sale: its clicks, lead, commission and refunds. */
export interface SaleExplanation extends SaleOutcome {
  readonly customer?: Customer;
  /** The clicks until the sale was recorded, oldest first. */
  readonly clicks: readonly ClickOnTheWay[];
  readonly lead?: Lead;
  /** The lead's commission, with its present status. */
  readonly leadCommission?: LeadCommission;
  /** The partner to whom another identifier or code pointed, and who did not get the sale. */
  readonly overruled?: Pick<Partner, 'name'>;
}

export interface Step {
  readonly at: string;
  readonly kind: 'click' | 'lead' | 'sale' | 'refund' | 'commission' | 'customer' | 'erasure';
  readonly text: string;
}

/** All steps of a sale's history in order of time. At the same time, a cause comes before its effect. */
export const timelineOf = (story: SaleExplanation): Step[] =>
  [
    ...story.clicks.map(clickStep),
    ...leadSteps(story),
    ...commissionSteps(story.leadCommission, 'Lead commission'),
    ...sharedClickSteps(story.customer, story.sale.attribution?.window && story.sale.createdAt),
    ...saleSteps(story),
    ...overruledClaimSteps(story),
    ...unlinkingSteps(story.customer),
    ...erasureSteps(story.customer),
  ].toSorted(byTime);

/** How a person became a customer, and the customer's sales since. */
export interface CustomerHistory {
  readonly customer: Customer;
  /** The clicks of the customer, oldest first. */
  readonly clicks: readonly ClickOnTheWay[];
  readonly lead?: Lead;
  /** The lead's commission, with its present status. */
  readonly leadCommission?: LeadCommission;
  /** Some of the customer's sales, newest first. */
  readonly sales: readonly SaleOutcome[];
}

/**
 * All steps of a customer's history in order of time. A step of a sale contains the sale's id, because there may be
 * many sales.
 */
export const customerTimelineOf = ({ customer, clicks, lead, leadCommission, sales }: CustomerHistory): Step[] =>
  [
    ...clicks.map(clickStep),
    ...leadSteps({ lead, customer }),
    ...commissionSteps(leadCommission, 'Lead commission'),
    ...sharedClickSteps(customer, customer.firstPurchaseAt),
    ...firstSaleSteps(customer, sales),
    ...sales
      .toReversed()
      .flatMap((one) => saleSteps(one).map((step) => ({ ...step, text: `${step.text} (${one.sale.transactionId})` }))),
    ...unlinkingSteps(customer),
    ...erasureSteps(customer),
  ].toSorted(byTime);

/** The steps of the customer's first sale, if the sale is too old to be among those listed. */
const firstSaleSteps = ({ firstPurchaseAt }: Customer, sales: readonly SaleOutcome[]): Step[] =>
  firstPurchaseAt === undefined || sales.some(({ sale }) => sale.occurredAt === firstPurchaseAt)
    ? []
    : [{ at: firstPurchaseAt, kind: 'sale', text: 'First sale paid' }];

function saleSteps({ sale, commission, refunds }: SaleOutcome): Step[] {
  const [created, ...later] = commissionSteps(commission);
  return [
    saleStep(sale),
    ...(created ? [created] : []),
    ...refunds.map((refund) => refundStep(refund, sale)),
    ...later,
  ];
}

const byTime = (a: Step, b: Step): number => Date.parse(a.at) - Date.parse(b.at);

const clickStep = ({ at, isFirst, shortLink, partnerName }: ClickOnTheWay): Step => ({
  at,
  kind: 'click',
  text: `${isFirst ? 'First click' : 'Later click'} through link ${shortLink}${partnerName ? ` (${partnerName})` : ''}`,
});

function leadSteps({ lead, customer }: Pick<SaleExplanation, 'lead' | 'customer'>): Step[] {
  if (!lead) return [];
  const settledAt = lead.state === 'settled' ? (customer?.signupAt ?? lead.createdAt) : undefined;
  const wasProvisional = settledAt !== lead.createdAt;
  return [
    ...(wasProvisional ? [{ at: lead.createdAt, kind: 'lead', text: 'Provisional lead recorded' } as const] : []),
    ...(settledAt ? [{ at: settledAt, kind: 'lead', text: settledText(lead) } as const] : []),
  ];
}

const settledTexts = {
  server: 'Lead confirmed by your server',
  browser: 'Lead reported by a browser',
  processor: 'Lead confirmed by a payment',
} as const;

const settledText = ({ mode, keyTakenFrom }: Lead): string =>
  keyTakenFrom === undefined
    ? settledTexts[mode]
    : `${settledTexts[mode]}; its customer key was moved from click ${keyTakenFrom}, for which only a browser had claimed it`;

/**
 * The step in which the customer paid with another customer's click.
 * @param at time of the step; undefined if it is not part of this history
 */
const sharedClickSteps = (customer: Customer | undefined, at: string | undefined): Step[] =>
  customer?.sharedClick && at ? [{ at, kind: 'customer', text: sharedClickText(customer.sharedClick) }] : [];

/** Why a payment with another customer's click created a new customer. */
export const sharedClickText = ({ clickId, place }: NonNullable<Customer['sharedClick']>): string =>
  `The click belongs to customer ${clickId}, but another person paid with it: the ${ordinal(place)} to do so.`;

function overruledClaimSteps({ sale, overruled }: SaleExplanation): Step[] {
  const text = sale.attribution && overruledClaimText(sale.attribution, overruled);
  return text === undefined ? [] : [{ at: sale.createdAt, kind: 'customer', text }];
}

const unlinkingSteps = (customer: Customer | undefined): Step[] =>
  customer?.unlinkedAt === undefined
    ? []
    : [{ at: customer.unlinkedAt, kind: 'customer', text: unlinkedText(customer) }];

const erasureSteps = (customer: Customer | undefined): Step[] =>
  customer?.erasedAt === undefined
    ? []
    : [{ at: customer.erasedAt, kind: 'erasure', text: 'Personal data of the customer erased' }];

const unlinkedText = ({ movedTo, unlinkReason }: Customer): string =>
  movedTo === undefined
    ? `Customer unlinked by an owner${unlinkReason ? `: ${unlinkReason}` : ''}`
    : `Customer identified as ${movedTo}`;

const saleStep = ({ createdAt, occurredAt, isTest, amountCents, currency, attribution }: Sale): Step => ({
  at: createdAt,
  kind: 'sale',
  text:
    `${isTest ? 'Test sale' : 'Sale'} of ${moneyText(amountCents, currency)} recorded` +
    (occurredAt === createdAt ? '' : `, paid at ${occurredAt}`) +
    (attribution?.resolvedBy === 'code' ? `, found by code ${attribution.identifier}` : ''),
});

const refundTexts = {
  refund: 'Refund',
  chargeback: 'Chargeback',
  dispute_won: 'Won dispute',
  correction: 'Correction',
  duplicate: 'Reversal',
} as const;

const refundStep = ({ createdAt, reason, amountCents }: RecordedRefund, { currency, duplicateOf }: Sale): Step => ({
  at: createdAt,
  kind: 'refund',
  text:
    `${refundTexts[reason]} of ${moneyText(Math.abs(amountCents), currency)}` +
    (reason === 'duplicate' ? `: sale ${duplicateOf} records the same payment, and counts instead` : ''),
});

const actionTexts: Readonly<Record<AuditRow['action'], string>> = {
  created: 'created',
  released: 'released',
  approved: 'approved',
  rejected: 'rejected',
  reopened: 'reopened',
  paid: 'paid out',
  adjusted: 'settled with a payout',
  unpaid: 'given back by a payout',
  deducted: 'reduced',
  reversed: 'reversed',
  restored: 'restored',
  corrected: 'corrected',
  recalculated: 'recalculated',
};

const doneText = (action: AuditRow['action'], to: AuditRow['to']): string =>
  action === 'created' && to === 'held' ? 'created and held for review' : actionTexts[action];

/** Whether the end of the hold period has approved the commission. Such an approval is not stored in its history. */
export const isApprovedByTime = (commission: Commission): boolean =>
  commission.approvedAt !== undefined && !historyOfPartner(commission).some(({ action }) => action === 'approved');

/** The steps of a commission's history. @param name distinguishes the commission from others in the history */
function commissionSteps(commission: Commission | undefined, name = 'Commission'): Step[] {
  if (!commission) return [];
  const { history, currency, approvedAt } = commission;
  const steps = history.map(({ at, action, to, amountCents, reason }): Step => ({
    at,
    kind: 'commission',
    text: `${name} ${doneText(action, to)}: ${moneyText(amountCents, currency)}${reason ? ` (${reason})` : ''}`,
  }));
  if (!isApprovedByTime(commission)) return steps;
  const approval: Step = { at: approvedAt!, kind: 'commission', text: `${name} approved: its hold is over` };
  const begun = history.findLastIndex(({ action }) => action === 'created' || action === 'released');
  return steps.toSpliced(begun + 1, 0, approval);
}
