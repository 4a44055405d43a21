import { inAccount, post } from '#test/ledger/book.ts';
import { bookEarned, dueOf, earnedBy } from '#test/ledger/earning.ts';
import { deduct, statusAt } from '#test/ledger/returning.ts';
import { type Commission, dayOf, type Payout, type State } from '#test/ledger/state.ts';

// What people decide about commissions, and payouts.

type Decision = 'approve' | 'reject' | 'release' | 'reopen';

const target = { approve: 'approved', reject: 'rejected', release: 'pending', reopen: 'pending' } as const;
const allowed = {
  approve: ['pending'],
  reject: ['pending', 'held'],
  release: ['held'],
  reopen: ['approved', 'rejected'],
} as const;

/** Applies a decision to a commission. @returns the error message if the service must refuse the decision */
export function decide(state: State, one: Commission, decision: Decision, now: number): string | undefined {
  const status = statusAt(state, one, now);
  if (decision === 'approve' && status === 'approved') return undefined;
  if (decision === 'reopen' && status === 'pending' && one.byHand) return undefined;
  if (!(allowed[decision] as readonly string[]).includes(status)) {
    return `Commission status cannot be changed to ${target[decision]}. Current status: ${status}`;
  }
  if (decision === 'approve') Object.assign(one, { status: 'approved', approvedAt: now });
  if (decision === 'release') release(state, one, now);
  if (decision === 'reject') reject(state, one);
  return decision === 'reopen' ? reopen(state, one, now) : undefined;
}

function release(state: State, one: Commission, now: number): void {
  one.status = 'pending';
  // If the hold period is over, the commission is approved by this release, so the time of the release is remembered.
  if (one.holdUntil < now) Object.assign(one, { releasedAt: now });
  const customer = state.customers.find(({ label }) => label === one.customer);
  if (customer) customer.isReleased = true;
  bookEarned(state, one);
  const sale = state.sales.find(({ id }) => id === one.sale);
  const on = dayOf(one.occurredAt);
  post(state.book, on, `owed/${one.label}`, earnedBy(one), one.currency, one.deducted);
  if (sale) post(state.book, on, 'platform', `fees/${one.partner}`, sale.currency, one.feeReduced);
}

/**
 * Rejects a commission. Its remaining amount is no longer owed. It still counts as earned, so the book moves it to a
 * separate account, on the day of the commission.
 */
function reject(state: State, one: Commission): void {
  if (one.status === 'held') one.neverCounted = true;
  Object.assign(one, { status: 'rejected', rejectionReason: 'Drawn' });
  const owed = -inAccount(state.book, `owed/${one.label}`, one.currency);
  post(state.book, dayOf(one.occurredAt), `owed/${one.label}`, `forfeited/${one.partner}/`, one.currency, owed);
}

/** Reverses an approval or a rejection. Refunds that came after a rejection are deducted now. @returns as decide */
function reopen(state: State, one: Commission, now: number): string | undefined {
  const wasRejected = one.status === 'rejected';
  const sale = wasRejected ? state.sales.find(({ id }) => id === one.sale) : undefined;
  if (sale && sale.refunded === sale.amount) return 'The sale of this commission was refunded in full';
  Object.assign(one, {
    status: wasRejected && one.neverCounted ? 'held' : 'pending',
    byHand: true,
    approvedAt: null,
    rejectionReason: null,
  });
  if (wasRejected && !one.neverCounted) {
    const owed = one.amount - one.deducted;
    post(state.book, dayOf(one.occurredAt), `forfeited/${one.partner}/`, `owed/${one.label}`, one.currency, owed);
  }
  one.neverCounted = false;
  if (sale) deduct(state, one, sale, now);
  return undefined;
}

/**
 * What a payout would contain now: approved commissions, and for commissions that were paid before, the difference that
 * is due.
 */
export function payable(
  state: State,
  { partner, through }: { readonly partner?: number; readonly through?: string },
  now: number,
): Payout['items'] {
  const { commissions, settings } = state;
  const fits = commissions.filter(
    (one) =>
      one.wasPaid ||
      (statusAt(state, one, now) === 'approved' && (through === undefined || dayOf(one.occurredAt) <= through)),
  );
  const items: Payout['items'] = [];
  for (const [who] of state.removed.entries()) {
    if (partner !== undefined && partner !== who) continue;
    const own = fits.filter((one) => one.partner === who);
    for (const currency of [...new Set(own.map((one) => one.currency))].toSorted()) {
      const of = own.filter((one) => one.currency === currency);
      const cents = of.reduce((total, one) => total + dueOf(state, one), 0);
      const least = currency === settings.currency ? settings.minimumCents : 0;
      if (cents <= 0 || cents < least) continue;
      const taken = of.filter((one) => !one.wasPaid || one.isMarked || dueOf(state, one) !== 0);
      items.push({ partner: who, currency, cents, of: taken.map(({ label }) => label) });
    }
  }
  return items;
}

/** Pays what is due. @returns undefined if nothing is due */
export function payOut(state: State, choice: Parameters<typeof payable>[1], now: number): Payout | undefined {
  const items = payable(state, choice, now);
  if (items.length === 0) return undefined;
  const payout: Payout = { number: state.payouts.length, at: now, items };
  state.payouts.push(payout);
  for (const item of items) {
    for (const label of item.of) {
      const one = state.commissions.find((each) => each.label === label)!;
      post(state.book, dayOf(now), `owed/${label}`, `cash/${item.partner}`, item.currency, dueOf(state, one));
      if (one.status === 'pending') one.approvedAt = Math.max(one.holdUntil, one.releasedAt ?? 0);
      if (one.status === 'pending' || one.status === 'approved') {
        Object.assign(one, { status: 'paid', paidAt: now, payout: payout.number });
      }
      one.wasPaid = true;
      one.isMarked = false;
    }
  }
  return payout;
}
