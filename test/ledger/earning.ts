import { inAccount, post } from '#test/ledger/book.ts';
import {
  type Commission,
  type Customer,
  DAY,
  dayOf,
  monthOf,
  type Sale,
  type State,
  type Terms,
} from '#test/ledger/state.ts';

// Commissions for sales and leads.

const FEE_BPS = 350;

/** The number of smallest units in a currency unit. */
const unitOf = (currency: string): number => (currency === 'VND' ? 1 : 100);

/** A share of an amount, rounded half up. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

/** The terms of a partner: personal ones before the group's, and these before the program's. */
export const termsOf = ({ terms, members }: State, partner: number): Terms =>
  terms.personal[partner] ?? (members[partner] ? terms.group : undefined) ?? terms.program;

/** The same day and time some calendar months later, at most the month's last day. */
function monthsLater(time: number, months: number): number {
  const from = new Date(time);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (time % DAY);
}

function isDue({ type, months }: Terms, { isRecurring, paidAt }: Sale, firstPurchaseAt: number): boolean {
  if (!type.startsWith('recurring')) return !isRecurring;
  return months === 0 || paidAt < monthsLater(firstPurchaseAt, months);
}

/** The rate by the number of sales in the last month that was closed before the sale was recorded. */
function rateAt({ sales }: State, { rate, tiers }: Terms, partner: number, recordedAt: number): number {
  const first = new Date(recordedAt);
  const month = monthOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 0));
  const own = sales.filter((sale) => sale.partner === partner);
  const sold = own.filter((sale) => monthOf(sale.recordedAt) === month).length;
  const returned = own.filter((sale) => sale.returnedAt.some((at) => monthOf(at) === month)).length;
  const number = Math.max(0, sold - returned);
  return tiers.findLast(({ from }) => number >= from)?.rate ?? rate;
}

const isHeld = ({ settings }: State, customer: Customer, partner: number): boolean =>
  settings.holdsSelfReferral && customer.isPartner === partner && !customer.isReleased;

export const commissionOf = ({ commissions }: State, sale: Sale): Commission | undefined =>
  commissions.find((one) => one.sale === sale.id);

const rest = { former: null, deducted: 0, feeReduced: 0, reversalReason: null, rejectionReason: null } as const;
const unpaid = { approvedAt: null, paidAt: null, payout: null, wasPaid: false } as const;

/** Creates the commission of a sale if one is due. */
export function earn(state: State, sale: Sale, customer: Customer, terms: Terms): Commission | undefined {
  if (!isDue(terms, sale, customer.firstPurchaseAt ?? sale.paidAt)) return undefined;
  const isPercent = terms.type.endsWith('percent');
  const rate = isPercent ? rateAt(state, terms, sale.partner, sale.recordedAt) : terms.rate;
  const units = Math.round(rate * 10_000);
  const commission: Commission = {
    label: `sale ${sale.id}`,
    kind: 'sale',
    partner: sale.partner,
    sale: sale.id,
    customer: customer.label,
    type: terms.type,
    rate,
    base: sale.base,
    amount: isPercent ? shareOf(sale.base, units, 1_000_000) : shareOf(unitOf(state.settings.currency), units, 10_000),
    currency: isPercent ? sale.currency : state.settings.currency,
    fee: shareOf(sale.amount, FEE_BPS, 10_000),
    occurredAt: sale.paidAt,
    createdAt: sale.recordedAt,
    holdUntil: sale.recordedAt + terms.holdDays * DAY,
    status: isHeld(state, customer, sale.partner) ? 'held' : 'pending',
    ...rest,
    ...unpaid,
  };
  state.commissions.push(commission);
  if (commission.status !== 'held') bookEarned(state, commission);
  return commission;
}

/** Removes a sale's commission from the book, because an earlier payment became known and the sale is a renewal. */
export function withdraw(state: State, sale: Sale): void {
  const one = commissionOf(state, sale);
  if (!one || one.type.startsWith('recurring')) return;
  if (one.status !== 'held') {
    const on = dayOf(one.occurredAt);
    post(state.book, on, `owed/${one.label}`, earnedBy(one), one.currency, one.amount);
    post(state.book, on, 'platform', `fees/${one.partner}`, sale.currency, one.fee);
  }
  Object.assign(one, { amount: 0, fee: 0 });
}

/** Creates the commission of a settled lead if its terms have one. @param countsAt the day it counts on */
export function earnLead(state: State, customer: Customer, countsAt: number, now: number): void {
  const { leadCents, holdDays } = termsOf(state, customer.partner);
  const age = customer.signupAt! - customer.firstClickAt;
  if (leadCents === 0 || state.removed[customer.partner] || age > state.settings.windowDays * DAY) return;
  const commission: Commission = {
    label: `lead ${customer.label}`,
    kind: 'lead',
    partner: customer.partner,
    sale: null,
    customer: customer.label,
    type: 'lead',
    rate: null,
    base: null,
    amount: leadCents,
    currency: state.settings.currency,
    fee: 0,
    occurredAt: countsAt,
    createdAt: now,
    holdUntil: now + holdDays * DAY,
    status: isHeld(state, customer, customer.partner) ? 'held' : 'pending',
    ...rest,
    ...unpaid,
  };
  state.commissions.push(commission);
  if (commission.status !== 'held') bookEarned(state, commission);
}

/** Grants a bonus or, with an amount below 0, a deduction. It is approved at once. */
export function grant(state: State, partner: number, cents: number, currency: string, now: number): Commission {
  const number = state.commissions.filter(({ kind }) => kind === 'manual').length;
  const commission: Commission = {
    label: `manual ${number}`,
    kind: 'manual',
    partner,
    sale: null,
    customer: null,
    type: 'manual',
    rate: null,
    base: null,
    amount: cents,
    currency,
    fee: 0,
    occurredAt: now,
    createdAt: now,
    holdUntil: now,
    status: 'approved',
    ...rest,
    ...unpaid,
    approvedAt: now,
  };
  state.commissions.push(commission);
  bookEarned(state, commission);
  return commission;
}

/** The account of a partner's earnings from a customer. */
export const earnedBy = ({ partner, customer }: Commission): string => `earned/${partner}/${customer ?? ''}`;

/** Books a commission on the day of its payment, also if a rule held it until now. */
export function bookEarned({ book, sales }: State, one: Commission): void {
  const on = dayOf(one.occurredAt);
  post(book, on, earnedBy(one), `owed/${one.label}`, one.currency, one.amount);
  const sale = sales.find(({ id }) => id === one.sale);
  if (sale) post(book, on, `fees/${one.partner}`, 'platform', sale.currency, one.fee);
}

/** The amount owed for a commission and not yet paid; below 0 if too much was paid. */
export const dueOf = ({ book }: State, { label, currency }: Commission): number =>
  0 - inAccount(book, `owed/${label}`, currency);
