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

// How sales and leads earn commissions.

const FEE_BPS = 350;

/** How many smallest units a currency unit has. */
const unitOf = (currency: string): number => (currency === 'VND' ? 1 : 100);

/** A share of an amount, rounded half up. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

/**
 * The terms that apply to a partner: personal terms if there are any, otherwise the group's, otherwise the program's.
 */
export const termsOf = ({ terms, members }: State, partner: number): Terms =>
  terms.personal[partner] ?? (members[partner] ? terms.group : undefined) ?? terms.program;

/** Returns the same day of the month and time some months later. If that month is too short, its last day. */
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

/** The rate for a partner with tiers. It depends on the number of sales in the month before the sale was recorded. */
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

/** Creates the commission of a sale, if the terms give one. */
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

/**
 * Removes a sale's commission from the book. An earlier payment became known, so that the sale is a renewal, and the
 * terms give no commission for renewals.
 */
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

/**
 * Creates the commission of a settled lead, if the terms give one.
 * @param countsAt when reports count the commission
 */
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

/** Creates a commission that an owner grants; a negative amount is a deduction. It is approved immediately. */
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

/** The account in which a partner's earnings from a customer are booked. */
export const earnedBy = ({ partner, customer }: Commission): string => `earned/${partner}/${customer ?? ''}`;

/** Books a commission on the day of its sale's payment, even if a rule held the commission until now. */
export function bookEarned({ book, sales }: State, one: Commission): void {
  const on = dayOf(one.occurredAt);
  post(book, on, earnedBy(one), `owed/${one.label}`, one.currency, one.amount);
  const sale = sales.find(({ id }) => id === one.sale);
  if (sale) post(book, on, `fees/${one.partner}`, 'platform', sale.currency, one.fee);
}

/** The amount that is owed for a commission and not paid yet. It is negative if too much was paid. */
export const dueOf = ({ book }: State, { label, currency }: Commission): number =>
  0 - inAccount(book, `owed/${label}`, currency);
