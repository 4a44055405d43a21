import { wholeDays, type WindowCheck } from '#lib/service/traffic/customers/attribution-window.ts';
import type { AuditRow, Commission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { moneyText } from '#lib/service/ground/values/money.ts';
import { isEarlierPaymentReason } from '#lib/service/conversions/attribution/overtaken-sale.ts';
import { historyOfPartner } from '#lib/service/conversions/attribution/reattribution.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import { saleCommissionText, signupCommissionText, waitText } from '#lib/service/programs/terms/offer-text.ts';
import { notationOf } from '#lib/service/programs/terms/terms-text.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';
import { isFinalMonthReason } from '#lib/service/conversions/tiers/tier-sales.ts';
import { type ClickOnTheWay, isApprovedByTime } from '#lib/service/reports/stories/timeline.ts';

/**
 * Why a partner has a commission. It contains only what the partner may see, and never identifies another partner, the
 * customer or the payment.
 */
export interface CommissionStory {
  /** The commission with its effective status. */
  readonly commission: Commission;
  /**
   * The terms of the version in the commission; undefined if the commission names no version, or if a restore has lost
   * the terms.
   */
  readonly terms?: TermsInForce;
  /** Clicks through the partner's own links, oldest first. */
  readonly clicks: readonly ClickOnTheWay[];
  readonly signupAt?: string;
  readonly sale?: Sale;
  /** The partner's own code, if it brought the sale. */
  readonly code?: string;
}

export const storyKinds = ['click', 'signup', 'payment', 'commission', 'change'] as const;

export interface StoryStep {
  readonly at: string;
  readonly kind: (typeof storyKinds)[number];
  readonly text: string;
}

/** All steps in order of time. If several steps have the same time, the cause comes before its effect. */
export const storyStepsOf = ({ commission, clicks, signupAt, sale, code }: CommissionStory): StoryStep[] =>
  [
    ...clicks.map(clickStep),
    ...(signupAt === undefined ? [] : [{ at: signupAt, kind: 'signup', text: 'The visitor signed up' } as const]),
    ...(sale ? [paymentStep(sale, code)] : []),
    ...commissionSteps(commission),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));

const clickStep = ({ at, isFirst, shortLink }: ClickOnTheWay): StoryStep => ({
  at,
  kind: 'click',
  text: `${isFirst ? 'First click' : 'Later click'} through your link ${shortLink}`,
});

const paymentStep = ({ occurredAt, amountCents, currency }: Sale, code: string | undefined): StoryStep => ({
  at: occurredAt,
  kind: 'payment',
  text: `Payment of ${moneyText(amountCents, currency)}${code === undefined ? '' : ` with your code ${code}`}`,
});

function commissionSteps(commission: Commission): StoryStep[] {
  const { approvedAt } = commission;
  // After a rejection, a refund changes only the brand's fee, which the partner does not see.
  const rows = historyOfPartner(commission).filter(({ from, action }) => from !== 'rejected' || action === 'reopened');
  const steps = rows.map((row): StoryStep => ({
    at: row.at,
    kind: row.action === 'created' ? 'commission' : 'change',
    text: row.action === 'created' ? createdText(commission, row) : changeTexts[row.action](rowTexts(commission, row)),
  }));
  if (commission.kind === 'manual' || !isApprovedByTime(commission)) return steps;
  const approval: StoryStep = { at: approvedAt!, kind: 'change', text: 'Approved: the hold is over' };
  return [...steps.slice(0, 1), approval, ...steps.slice(1)];
}

function createdText(commission: Commission, { amountCents }: AuditRow): string {
  const money = moneyText(amountCents, commission.currency);
  if (commission.kind === 'manual') return `Granted by the program: ${money} (${commission.reason})`;
  return commission.kind === 'lead' ? `Commission of ${money} for the signup` : `Commission of ${money}`;
}

/** The variable parts of the sentence that describes one row of a commission's history. */
interface RowTexts {
  /** The amount without its sign. */
  readonly money: string;
  readonly isTakenBack: boolean;
  readonly reason: string | null;
  readonly cause: string;
}

/**
 * Sentences for reasons that the service itself has written. Other reasons were written by people and may be for the
 * brand only.
 */
const causes: Readonly<Record<string, string>> = {
  refund: ': the payment was refunded',
  chargeback: ': the payment was charged back',
  dispute_won: ': the program won the dispute',
  correction: ': the refund was corrected',
  duplicate: ': the payment is counted by another sale',
};

const rowTexts = ({ currency }: Commission, { amountCents, reason }: AuditRow): RowTexts => ({
  money: moneyText(Math.abs(amountCents), currency),
  isTakenBack: amountCents < 0,
  reason,
  cause: causes[reason ?? ''] ?? '',
});

const changeTexts: Readonly<Record<Exclude<AuditRow['action'], 'created'>, (row: RowTexts) => string>> = {
  released: () => 'Reviewed by the program',
  approved: () => 'Approved by the program',
  rejected: ({ reason }) => `Rejected by the program: ${reason ?? ''}`,
  reopened: () => 'Reopened by the program, which decides again',
  // The reason in rows of these two kinds contains the name of the payout.
  paid: ({ money, reason }) => `Recorded in ${reason ?? 'a payout'}: ${money}`,
  adjusted: ({ money, isTakenBack, reason }) =>
    `${isTakenBack ? 'Taken back' : 'Recorded in addition'}${reason === null ? '' : ` in ${reason}`}: ${money}`,
  unpaid: ({ money, isTakenBack, reason }) =>
    `${isTakenBack ? 'Not paid after all' : 'Not taken back after all'}: ${money} (${reason ?? ''})`,
  deducted: ({ money, cause }) => `Reduced by ${money}${cause}`,
  reversed: ({ cause }) => `Reversed${cause}`,
  restored: ({ money, cause }) => `Restored by ${money}${cause}`,
  corrected: ({ money, cause }) => `Restored by ${money}${cause}`,
  recalculated: ({ money, reason }) =>
    `Recalculated as ${money}: ${isFinalMonthReason(reason) || isEarlierPaymentReason(reason) ? reason : 'the tax of the payment became known'}`,
};

/** The terms in words. Partners see the same words everywhere. */
export function termsText({ commission, terms }: Pick<CommissionStory, 'commission' | 'terms'>): string {
  const earns = earnsText(commission, terms);
  return terms ? `${earns}. ${waitText(terms.holdPeriodDays, notationOf(commission.currency))}` : earns;
}

function earnsText(commission: Commission, terms: TermsInForce | undefined): string {
  const { kind, amountCents, currency } = commission;
  if (kind === 'lead') return signupCommissionText(amountCents, notationOf(currency));
  return kind === 'manual' ? 'Granted by the program' : saleText(commission, terms);
}

function saleText(commission: SaleCommission, terms: TermsInForce | undefined): string {
  const { commissionType, commissionRate, currency, tierSales } = commission;
  const paid = { commissionType, commissionRate, durationMonths: terms?.durationMonths };
  const text = saleCommissionText(paid, notationOf(currency));
  return tierSales ? `${text}, by ${tierSales.sales} sales in ${tierSales.month}` : text;
}

/** How the attribution window was checked when the sale was recorded, in a sentence. */
export function windowText({ window, broughtByCode }: Pick<SaleAttribution, 'window' | 'broughtByCode'>): string {
  if (window) return checkText(window);
  return broughtByCode
    ? 'A coupon code brought the customer, so the attribution window does not apply.'
    : 'The customer had paid before, so the window was not checked again.';
}

const checkText = ({ comparedWith, ageMs, windowDays, within }: WindowCheck): string =>
  `The ${comparedWith} came ${afterText(wholeDays(ageMs))} the first click: ` +
  `${within ? 'within' : 'outside'} the window of ${daysText(windowDays)}.`;

const afterText = (days: number): string => (days === 0 ? 'on the same day as' : `${daysText(days)} after`);

const daysText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;
