/**
 * A small reference model of tracking: the rules of keys, clicks, leads, sales, refunds and commissions, for one
 * program, in memory. It is written from the rules alone and shares no code with the service.
 */

/** The program's key as it is now, one that was replaced, or no Authorization header. */
export type Credential = 'current' | 'old' | 'none';

interface ModelSettings {
  readonly commissionType: 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';
  readonly commissionRate: number;
  readonly durationMonths: number;
  readonly attributionWindowDays: number;
  readonly leadAuth: 'server_required' | 'browser_allowed';
}

interface Identifiers {
  readonly clickId?: string;
  readonly customerKey?: string;
}

interface ModelCustomer {
  readonly link: number;
  readonly firstClickAt: number;
  status: 'click' | 'lead' | 'conversion';
  leadState?: 'provisional' | 'settled';
  signupAt?: number;
  firstPurchaseAt?: number;
  customerKey?: string;
  /** Only a browser said whose the key is. */
  keyBoundBy?: 'browser';
}

interface ModelSale {
  readonly link: number;
  readonly amountCents: number;
  readonly currency: string;
  refundedCents: number;
  readonly commission?: ModelCommission;
}

interface ModelCommission {
  readonly amountCents: number;
  readonly currency: string;
  readonly feeCents: number;
  deductedCents: number;
  feeReducedCents: number;
  status: 'pending' | 'reversed';
}

/** What the service must answer: the body holds at least these fields. */
export interface Expected {
  readonly status: number;
  readonly body: object;
}

interface SaleOrder extends Identifiers {
  readonly transactionId: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly isRecurring: boolean;
  readonly paidAt: number;
}

interface RefundOrder {
  readonly transactionId: string;
  readonly totalCents?: number;
  readonly reason: 'refund' | 'chargeback';
}

const DAY = 86_400_000;
const FEE_BPS = 350;
const RETIRED = 'api_key_rotation_required';

const refused = (status: number, message: string, code?: string): Expected => ({
  status,
  body: { error: { message, ...(code && { code }) } },
});
const ok = (body: object): Expected => ({ status: 200, body: { success: true, ...body } });

const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

const isNamed = ({ clickId, customerKey }: Identifiers) => clickId !== undefined || customerKey !== undefined;

/** The same day and time some calendar months later, clamped to the month's end. */
function monthsLater(time: number, months: number): number {
  const from = new Date(time);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const day = Math.min(from.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return Date.UTC(year, month, day) + (time % DAY);
}

/** @param foreign a customer of another program, who has bought there */
export function referenceModel(
  settings: ModelSettings,
  foreign: { clickId: string; customerKey: string; transactionId: string },
) {
  const customers = new Map<string, ModelCustomer>();
  const sales = new Map<string, ModelSale>();
  const clicks = [0, 0];
  let deadline: number | undefined;

  const byKey = (key?: string) =>
    key === undefined ? undefined : [...customers.values()].find(({ customerKey }) => customerKey === key);
  const byKeyOrClick = ({ clickId, customerKey }: Identifiers) => byKey(customerKey) ?? customers.get(clickId ?? '');

  /** The key's customer, else the click's. Of a key that only a browser bound, the click's if it has no key. */
  function ofServer(who: Identifiers): ModelCustomer | undefined {
    const clicked = customers.get(who.clickId ?? '');
    const isOnlyClaimed = byKey(who.customerKey)?.keyBoundBy === 'browser';
    return isOnlyClaimed && clicked && clicked.customerKey === undefined ? clicked : byKeyOrClick(who);
  }

  /** A customer keeps its first key; one that was only claimed for another customer moves. */
  function bindKey(customer: ModelCustomer, customerKey?: string, keyBoundBy?: 'browser'): void {
    if (customerKey === undefined || customer.customerKey !== undefined) return;
    Object.assign(byKey(customerKey) ?? {}, { customerKey: undefined, keyBoundBy: undefined });
    Object.assign(customer, { customerKey, keyBoundBy });
  }

  const isForeign = ({ clickId, customerKey }: Identifiers) =>
    clickId === foreign.clickId || customerKey === foreign.customerKey;

  const retired = (credential: Credential, now: number): Expected | undefined =>
    credential === 'current' && deadline !== undefined && now >= deadline
      ? refused(401, `This API key was retired on ${new Date(deadline).toISOString().slice(0, 10)}.`, RETIRED)
      : undefined;

  function locked(credential: Credential, now: number): Expected | undefined {
    if (credential === 'old') return refused(401, 'Invalid API token', 'unauthorized');
    if (credential === 'current') return retired(credential, now);
    return refused(401, 'Missing or malformed Authorization header. Expected: Bearer <token>', 'unauthorized');
  }

  /** A browser's lead is of the click's program, else of the only one that knows the key. */
  function ofBrowser(who: Identifiers): ModelCustomer | 'foreign' | undefined {
    if (customers.has(who.clickId ?? '')) return byKeyOrClick(who);
    if (who.clickId === foreign.clickId) return 'foreign';
    const own = byKey(who.customerKey);
    const isElsewhere = who.customerKey === foreign.customerKey;
    if (own && isElsewhere) return undefined;
    return own ?? (isElsewhere ? 'foreign' : undefined);
  }

  function commissionOf(order: SaleOrder, firstPurchaseAt?: number): ModelCommission | undefined {
    const { commissionType, commissionRate, durationMonths } = settings;
    const isDue = commissionType.startsWith('recurring_')
      ? durationMonths === 0 ||
        firstPurchaseAt === undefined ||
        order.paidAt < monthsLater(firstPurchaseAt, durationMonths)
      : !order.isRecurring;
    if (!isDue) return undefined;
    const rate = Math.round(commissionRate * 10_000);
    const isPercent = commissionType.endsWith('percent');
    return {
      amountCents: isPercent ? halfUp(order.amountCents * rate, 1_000_000) : halfUp(100 * rate, 10_000),
      currency: isPercent ? order.currency : 'USD',
      feeCents: halfUp(order.amountCents * FEE_BPS, 10_000),
      deductedCents: 0,
      feeReducedCents: 0,
      status: 'pending',
    };
  }

  return {
    customers,
    sales,
    clicks,

    /** A new key has no mark. */
    regenerate(): void {
      deadline = undefined;
    },
    mark(until: number): void {
      deadline = until;
    },
    /** Whether answers to this credential carry `warnings`. */
    isWarned: (credential: Credential, now: number) =>
      credential === 'current' && deadline !== undefined && now < deadline,

    /** @param newId the id that the service gives to a new customer */
    click(link: number, existingId: string | undefined, newId: string, credential: Credential, now: number): Expected {
      const refusal = retired(credential, now);
      if (refusal) return refusal;
      clicks[link]! += 1;
      const isKnown = customers.has(existingId ?? '');
      if (!isKnown) customers.set(newId, { link, firstClickAt: now, status: 'click' });
      return ok({ click_id: isKnown ? existingId : newId, cookie_window_days: settings.attributionWindowDays });
    },

    lead(who: Identifiers, credential: Credential, now: number): Expected {
      const refusal = credential === 'old' ? refused(401, 'Invalid API token') : retired(credential, now);
      if (refusal) return refusal;
      if (!isNamed(who)) return refused(400, 'click_id or customer_key is required');
      const isServer = credential === 'current';
      const customer = isServer ? ofServer(who) : ofBrowser(who);
      if (!customer) {
        return isServer && isForeign(who)
          ? refused(400, 'Customer does not belong to this program')
          : refused(400, 'Customer not found. Provide a valid click_id or customer_key.');
      }
      const status = customer === 'foreign' ? 'conversion' : customer.status;
      if (customer === 'foreign' || status !== 'click') {
        return refused(400, `Customer status cannot be updated to lead. Current status: ${status}`);
      }
      if (!isServer && settings.leadAuth === 'server_required') {
        customer.leadState = 'provisional';
        return ok({ provisional: true });
      }
      bindKey(customer, who.customerKey, isServer ? undefined : 'browser');
      Object.assign(customer, { status: 'lead', leadState: 'settled', signupAt: now });
      return ok({ message: 'Lead tracked successfully' });
    },

    sale(order: SaleOrder, credential: Credential, now: number): Expected {
      const refusal = locked(credential, now);
      if (refusal) return refusal;
      const { transactionId, amountCents, currency, paidAt } = order;
      if (currency === 'GBP') return refused(422, 'currency GBP is not supported', 'unsupported_currency');
      if (sales.has(transactionId) || transactionId === foreign.transactionId) {
        const message = 'Duplicate transaction_id. This sale has already been recorded.';
        return refused(409, message, 'duplicate_transaction');
      }
      const customer = ofServer(order);
      if (!customer && isForeign(order)) {
        return refused(400, 'No affiliate attribution found for this customer in this program', 'no_attribution');
      }
      if (!customer) {
        const code = isNamed(order) ? 'no_attribution' : 'invalid_request';
        return refused(400, 'Customer not found. Provide customer_key or click_id.', code);
      }
      const age = (customer.signupAt ?? paidAt) - customer.firstClickAt;
      const days = settings.attributionWindowDays;
      if (customer.status !== 'conversion' && age > days * DAY) {
        const reason = 'attribution_window_expired';
        return ok({ attributed: false, reason, click_age_days: Math.floor(age / DAY), window_days: days });
      }
      const commission = commissionOf(order, customer.firstPurchaseAt);
      sales.set(transactionId, { link: customer.link, amountCents, currency, refundedCents: 0, commission });
      customer.status = 'conversion';
      customer.firstPurchaseAt ??= paidAt;
      if (customer.leadState !== 'provisional') bindKey(customer, order.customerKey);
      const namesBoth = customer === customers.get(order.clickId ?? '') && customer.customerKey === order.customerKey;
      if (namesBoth) customer.keyBoundBy = undefined;
      return commission
        ? ok({ attributed: true, message: 'Sale tracked successfully' })
        : ok({ attributed: true, commission_id: null, reason: 'commission_not_due' });
    },

    refund({ transactionId, totalCents = 0, reason }: RefundOrder, credential: Credential, now: number): Expected {
      const refusal = locked(credential, now);
      if (refusal) return refusal;
      const sale = sales.get(transactionId);
      if (!sale) return refused(404, 'Sale not found for transaction_id', 'not_found');
      const { amountCents, commission, refundedCents } = sale;
      const total = totalCents === 0 ? amountCents : Math.min(totalCents, amountCents);
      if (commission?.status === 'reversed') return ok({ status: 'skipped', reason: 'already reversed' });
      if (commission && total <= refundedCents) return ok({ status: 'skipped', reason: 'already refunded' });
      sale.refundedCents = Math.max(total, refundedCents);
      if (!commission) return ok({ status: 'no_commission', commission_id: null });
      const before = commission.deductedCents;
      commission.deductedCents = halfUp(commission.amountCents * total, amountCents);
      commission.feeReducedCents = halfUp(commission.feeCents * total, amountCents);
      if (total === amountCents) commission.status = 'reversed';
      return ok({
        status: total === amountCents ? 'reversed' : 'refunded',
        refunded_amount_cents: total,
        deduction_cents: commission.deductedCents - before,
        ...(reason === 'chargeback' && { reason }),
      });
    },
  };
}

export type ReferenceModel = ReturnType<typeof referenceModel>;
