import { post } from '#test/ledger/book.ts';
import { commissionOf, dueOf, earnedBy, shareOf } from '#test/ledger/earning.ts';
import {
  type Commission,
  dayOf,
  monthOf,
  type Reversal,
  type Sale,
  type State,
  type Step,
} from '#test/ledger/state.ts';

// What is returned to buyers, and how that changes commissions.

const sum = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0);

/**
 * How much of a sale was returned: the disputes, plus the refunds as the API or Stripe reported them, whichever is
 * higher.
 */
function totalOf(sale: Sale): number {
  const { amount, refunds, disputes } = sale;
  return Math.min(amount, Math.max(byApi(sale), refunds.stripe) + sum(Object.values(disputes)));
}

const byApi = ({ amount, refunds }: Sale): number =>
  Math.max(refunds.total, Math.min(amount, sum(Object.values(refunds.byId))));

/**
 * The status that the service shows. If commissions are approved automatically, one is approved when its hold period is
 * over.
 */
export const statusAt = ({ settings }: State, one: Commission, now: number): Commission['status'] =>
  one.status === 'pending' && settings.autoApprove && !one.byHand && one.holdUntil <= now ? 'approved' : one.status;

export interface Returned {
  readonly status: 'reversed' | 'refunded' | 'corrected' | 'skipped' | 'no_commission';
  readonly reason?: string;
  readonly total: number;
  readonly deducted: number;
}

/** Applies all refunds and disputes known so far to the sale, its commission, the fee, and the book. */
function settle(state: State, sale: Sale, reason: Step['reason'], now: number): Returned {
  const { book } = state;
  const total = totalOf(sale);
  const step = total - sale.refunded;
  const one = commissionOf(state, sale);
  if (step === 0) return { status: 'skipped', total, deducted: 0 };
  const wasAll = sale.refunded === sale.amount;
  sale.refunded = total;
  const last = sale.returnedAt.at(-1);
  if (total === sale.amount) sale.returnedAt.push(now);
  // A sale that was returned and restored within one month counts at the end of that month.
  else if (wasAll && last !== undefined && monthOf(last) === monthOf(now)) sale.returnedAt.pop();
  const on = dayOf(now);
  post(book, on, `returned/${sale.partner}/${sale.customer}`, 'customers', sale.currency, step);
  const deducted = one && one.status !== 'rejected' ? deduct(state, one, sale, now) : 0;
  if (one) {
    const reduced = shareOf(one.fee, total, sale.amount);
    if (isBooked(one)) post(book, on, 'platform', `fees/${one.partner}`, sale.currency, reduced - one.feeReduced);
    one.feeReduced = reduced;
  }
  if (one && one.status !== 'rejected') {
    one.isMarked = !(deducted < 0 && dueOf(state, one) === 0) && (one.isMarked || one.status === 'paid');
    changeStatus(one, sale, reason);
  }
  sale.steps.push({ reason, cents: step, total, deducted });
  if (!one) return { status: 'no_commission', total, deducted };
  if (one.status === 'rejected') return { status: 'skipped', reason: 'commission rejected', total, deducted };
  return { status: one.status === 'reversed' ? 'reversed' : 'refunded', total, deducted };
}

/** Whether the commission is in the book. One that a rule holds is booked only when it is released. */
const isBooked = ({ status, former, neverCounted }: Commission): boolean =>
  status !== 'held' && former !== 'held' && !neverCounted;

/** Deducts the refunds' share of the commission. If the refunds have become lower, gives the difference back. */
export function deduct({ book }: State, one: Commission, sale: Sale, now: number): number {
  const deducted = shareOf(one.amount, sale.refunded, sale.amount);
  const step = deducted - one.deducted;
  if (isBooked(one)) post(book, dayOf(now), `owed/${one.label}`, earnedBy(one), one.currency, step);
  one.deducted = deducted;
  return step;
}

function changeStatus(one: Commission, sale: Sale, reason: Step['reason']): void {
  const isAll = sale.refunded === sale.amount;
  if (isAll && one.status !== 'reversed') {
    Object.assign(one, {
      former: one.status,
      status: 'reversed',
      reversalReason: reason === 'chargeback' ? reason : 'refund',
    });
  } else if (!isAll && one.status === 'reversed') {
    Object.assign(one, { status: one.former!, former: null, reversalReason: null });
  }
}

export interface RefundCall {
  readonly cents?: number;
  readonly reason?: 'refund' | 'chargeback';
  readonly id?: string;
  readonly isCorrection?: boolean;
}

/**
 * Applies a refund call with valid amounts.
 * @returns undefined if a refund with the same id and another amount exists
 */
export function refundByApi(state: State, sale: Sale, call: RefundCall, now: number): Returned | undefined {
  const { amount, refunds } = sale;
  const one = commissionOf(state, sale);
  const cents = call.cents === undefined || call.cents === 0 ? amount : Math.min(call.cents, amount);
  if (call.isCorrection) return correct(state, sale, call, now);
  if (call.id !== undefined) {
    const known = refunds.byId[call.id];
    if (known !== undefined && known !== call.cents) return undefined;
    if (known !== undefined) {
      // This is the reply even if the whole sale was returned after the refund with this id.
      const reason = one?.status === 'rejected' ? 'commission rejected' : 'already refunded';
      return { status: one ? 'skipped' : 'no_commission', reason, total: sale.refunded, deducted: 0 };
    }
    refunds.byId[call.id] = call.cents!;
  } else refunds.total = Math.max(refunds.total, cents);
  const before = { wasReversed: one?.status === 'reversed', wasRejected: one?.status === 'rejected' };
  const returned = settle(state, sale, call.reason ?? 'refund', now);
  if (!one) return { ...returned, status: 'no_commission' };
  if (before.wasReversed) return { ...returned, status: 'skipped', reason: 'already reversed' };
  if (before.wasRejected) return { ...returned, status: 'skipped', reason: 'commission rejected' };
  return returned.status === 'skipped' ? { ...returned, reason: 'already refunded' } : returned;
}

/** Corrects an amount: of the refund with this id or, without an id, of the total that the API reported. */
function correct(state: State, sale: Sale, { id, cents = 0, reason = 'refund' }: RefundCall, now: number): Returned {
  const { refunds } = sale;
  const one = commissionOf(state, sale);
  if (id === undefined) refunds.total = cents;
  else refunds.byId[id] = cents;
  const isLower = totalOf(sale) < sale.refunded;
  const returned = settle(state, sale, isLower ? 'correction' : reason, now);
  if (!one) return { ...returned, status: 'no_commission' };
  if (one.status === 'rejected') return { ...returned, status: 'skipped', reason: 'commission rejected' };
  if (isLower) return { ...returned, status: 'corrected' };
  if (returned.status !== 'skipped') return returned;
  const isKeptUp = byApi(sale) < returned.total;
  return { ...returned, reason: isKeptUp ? 'reported by the processor' : 'already refunded' };
}

/** Applies a Stripe event to the payment that it names. If that payment is not recorded yet, the event waits for it. */
export function reverse(state: State, reversal: Reversal, now: number): void {
  const sale = state.sales.find(({ ids }) => reversal.ids.some((id) => ids.includes(id)));
  if (!sale) return void state.waiting.push(reversal);
  if (reversal.kind === 'refund') {
    sale.refunds.stripe = Math.max(sale.refunds.stripe, Math.min(reversal.total, sale.amount));
    return void settle(state, sale, 'refund', now);
  }
  const { dispute, cents, kind } = reversal;
  if (kind === 'won') sale.disputes[dispute] = null;
  else if (sale.disputes[dispute] === undefined) sale.disputes[dispute] = cents;
  settle(state, sale, kind === 'won' ? 'dispute_won' : 'chargeback', now);
}

/** Applies the events that have waited for this payment. */
export function applyWaiting(state: State, sale: Sale, now: number): void {
  const own = state.waiting.filter(({ ids }) => ids.some((id) => sale.ids.includes(id)));
  for (const reversal of own) {
    state.waiting.splice(state.waiting.indexOf(reversal), 1);
    reverse(state, reversal, now);
  }
}
