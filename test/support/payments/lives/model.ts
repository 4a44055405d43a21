/**
 * A small reference model of tracking for one program, in memory: the rules about keys, codes, clicks, leads, sales,
 * refunds and commissions. It was written from the documented rules alone and shares no code with the service.
 */

/** Which credential a request has: the program's current key, a key that was replaced, or none. */
export type Credential = 'current' | 'old' | 'none';

/** How much commission a sale earns. */
export interface ModelTerms {
  readonly commissionType: 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';
  readonly commissionRate: number;
  readonly durationMonths: number;
}

interface NumberedTerms extends ModelTerms {
  readonly version: number;
  readonly from: 'program' | 'group' | 'partner';
}

/**
 * A change of the terms of the program, of its only group or of one partner, or of whether a partner is in the group. A
 * partner is named by its link.
 */
export type TermsChange =
  | { readonly of: 'program' | 'group'; readonly terms: ModelTerms }
  | { readonly of: 'partner'; readonly link: number; readonly terms: ModelTerms | null }
  | { readonly of: 'member'; readonly link: number; readonly isIn: boolean };

export type LeadPolicy = 'server_required' | 'browser_allowed';

interface ModelSettings extends ModelTerms {
  readonly commissionBase: 'gross' | 'excluding_tax';
  readonly termsApply: 'current' | 'first_sale';
  readonly attributionWindowDays: number;
  readonly leadAuth: LeadPolicy;
  readonly codePrecedence: 'link_first' | 'code_first';
  readonly leadCommissionCents: number;
}

interface Identifiers {
  readonly clickId?: string;
  readonly customerKey?: string;
}

interface ModelCustomer {
  /** The link of the partner to whom the customer belongs. */
  link: number;
  /** The link of the first click; undefined if a code created the customer. */
  readonly firstLink?: number;
  /** Set if a coupon code assigned the customer to the partner. */
  byCode?: true;
  readonly firstClickAt: number;
  status: 'click' | 'lead' | 'conversion';
  leadState?: 'provisional' | 'settled';
  signupAt?: number;
  firstPurchaseAt?: number;
  /** The version of the terms under which the first sale was made. */
  firstTerms?: number;
  customerKey?: string;
  /** Set if only a browser, and no server, has said that the key belongs to this customer. */
  keyBoundBy?: 'browser';
  /** A key that came with a sale. It was not bound to this customer, because the lead is provisional. */
  unboundKey?: string;
  /** How many people have paid with this click, if more than one has. */
  people?: number;
  /** If this person paid with another customer's click, the id of that click. */
  readonly sharedOf?: string;
  /** The commission for the lead in cents; undefined if there is none. */
  leadCents?: number;
}

interface ModelSale {
  /** The link of the partner to whom the sale is assigned. */
  readonly link: number;
  /** The link whose counters count the sale. */
  readonly firstLink?: number;
  readonly code?: number;
  readonly byCode: boolean;
  readonly amountCents: number;
  readonly taxCents?: number;
  readonly currency: string;
  refundedCents: number;
  readonly terms: { readonly version: number; readonly from: string };
  readonly commission?: ModelCommission;
}

interface ModelCommission {
  readonly baseAmountCents: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly feeCents: number;
  deductedCents: number;
  feeReducedCents: number;
  status: 'pending' | 'reversed';
}

/** The expected reply. The actual body may have more fields. */
export interface Expected {
  readonly status: number;
  readonly body: object;
}

interface SaleOrder extends Identifiers {
  readonly transactionId: string;
  readonly amountCents: number;
  readonly taxCents?: number;
  readonly currency: string;
  readonly isRecurring: boolean;
  readonly paidAt: number;
  /** Whose code was sent: the number of the partner's link; 2 is the disabled code. */
  readonly code?: number;
}

/** The number of the code that is disabled. */
export const DISABLED = 2;

interface RefundOrder {
  readonly transactionId: string;
  readonly totalCents?: number;
  readonly reason: 'refund' | 'chargeback';
}

const DAY = 86_400_000;
/** How much the clocks of brand and service may differ, in milliseconds. */
const CLOCKS = 300_000;
/** For how many days after the attribution window a click is kept that no lead or sale has used. */
const UNUSED_DAYS = 90;
/** If a click would expire in less than this many days, a later click of the visitor makes a new customer. */
const DAYS_LEFT = 30;
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

/** Returns the same day of the month and time some months later. If that month is too short, its last day. */
export function monthsLater(time: number, months: number): number {
  const from = new Date(time);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const day = Math.min(from.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return Date.UTC(year, month, day) + (time % DAY);
}

/** Creates the model. @param foreign identifies a customer of another program, who has bought there */
export function referenceModel(
  settings: ModelSettings,
  foreign: { clickId: string; customerKey: string; transactionId: string },
) {
  const customers = new Map<string, ModelCustomer>();
  const sales = new Map<string, ModelSale>();
  const clicks = [0, 0];
  let deadline: number | undefined;
  let policy = settings.leadAuth;
  const versions: NumberedTerms[] = [{ ...settings, version: 1, from: 'program' }];
  const latest: { program: NumberedTerms; group?: NumberedTerms } = { program: versions[0]! };
  const personal: (NumberedTerms | undefined)[] = [];
  const members = new Set<number>();

  function versionOf(terms: ModelTerms, from: NumberedTerms['from'], before?: NumberedTerms): NumberedTerms {
    const isSame =
      before?.commissionType === terms.commissionType &&
      before.commissionRate === terms.commissionRate &&
      before.durationMonths === terms.durationMonths;
    if (isSame) return before;
    versions.push({ ...terms, version: versions.length + 1, from });
    return versions.at(-1)!;
  }

  const inForce = (link: number): NumberedTerms =>
    personal[link] ?? (members.has(link) ? latest.group : undefined) ?? latest.program;

  function termsOf({ link, firstTerms }: ModelCustomer, { isRecurring }: SaleOrder): NumberedTerms {
    const isByFirst = settings.termsApply === 'first_sale' && isRecurring && firstTerms !== undefined;
    return isByFirst ? versions[firstTerms - 1]! : inForce(link);
  }

  /** When a customer is removed: only one who has clicked and done nothing else is ever removed. */
  const endOf = ({ firstClickAt, firstLink, sharedOf, status, leadState }: ModelCustomer): number => {
    const isUnused = status === 'click' && leadState === undefined && firstLink !== undefined && sharedOf === undefined;
    return isUnused ? firstClickAt + (settings.attributionWindowDays + UNUSED_DAYS) * DAY : Infinity;
  };
  /** Removes the customers whose time has come. */
  function expire(now: number): void {
    for (const [clickId, customer] of customers) if (endOf(customer) <= now) customers.delete(clickId);
  }

  const byKey = (key?: string) =>
    key === undefined ? undefined : [...customers.values()].find(({ customerKey }) => customerKey === key);
  /**
   * Whether a customer's key counts. A key that a browser sent counts only while the program accepts keys from
   * browsers.
   */
  const counts = ({ keyBoundBy }: ModelCustomer) => keyBoundBy === undefined || policy === 'browser_allowed';
  const keyOf = (customer: ModelCustomer) => (counts(customer) ? customer.customerKey : undefined);
  /** Finds the customer by key, otherwise by click. If the program does not accept the key, the click comes first. */
  function byKeyOrClick({ clickId, customerKey }: Identifiers): ModelCustomer | undefined {
    const keyed = byKey(customerKey);
    return keyed && counts(keyed) ? keyed : (customers.get(clickId ?? '') ?? keyed);
  }
  /**
   * Whether a key changes over to the customer of the click that a server sends: only if a browser bound the key, and
   * that customer has no key.
   */
  const isTaken = (keyed: ModelCustomer | undefined, clicked: ModelCustomer | undefined) =>
    keyed?.keyBoundBy === 'browser' && clicked !== undefined && clicked !== keyed && keyOf(clicked) === undefined;

  /** Finds the customer for a lead from a server. Keys that browsers bound are ignored. */
  function ofServer(who: Identifiers): ModelCustomer | undefined {
    const clicked = customers.get(who.clickId ?? '');
    const keyed = byKey(who.customerKey);
    const isFree = clicked?.customerKey === undefined || clicked.keyBoundBy === 'browser';
    const isTheirs = clicked !== undefined && clicked !== keyed && keyed?.keyBoundBy === 'browser' && isFree;
    return isTheirs ? clicked : byKeyOrClick(who);
  }

  /** When the first payment that could not be attributed was made, by customer key. */
  const firstUnsoldAt = new Map<string, number>();
  function recordUnsold({ customerKey: key, paidAt }: SaleOrder): void {
    if (key !== undefined) firstUnsoldAt.set(key, Math.min(paidAt, firstUnsoldAt.get(key) ?? Infinity));
  }
  /** Whether a browser bound this key only after a payment with it: its customer's click is later than that payment. */
  const isClaimedTooLate = ({ keyBoundBy, firstClickAt }: ModelCustomer, key: string): boolean =>
    keyBoundBy === 'browser' && firstClickAt - (firstUnsoldAt.get(key) ?? Infinity) > CLOCKS;

  /**
   * Finds the customer for a sale: by key, otherwise by click. If the click's customer has another key, a second person
   * pays with the same click, and a new customer is returned that is not stored yet.
   */
  function ofSale({ clickId = '', customerKey: key }: Identifiers): ModelCustomer | undefined {
    const clicked = customers.get(clickId);
    const holder = byKey(key);
    const isFound = holder && key !== undefined && counts(holder) && !isClaimedTooLate(holder, key);
    const keyed = isFound ? holder : undefined;
    if (keyed && !(clicked?.leadState !== 'provisional' && isTaken(keyed, clicked))) return keyed;
    if (!clicked || key === undefined || key === clicked.customerKey || key === clicked.unboundKey) return clicked;
    if ((keyOf(clicked) ?? clicked.unboundKey) === undefined) return clicked;
    const { firstLink, firstClickAt, sharedOf } = clicked;
    if (firstLink === undefined || sharedOf !== undefined) return undefined;
    return { link: firstLink, firstLink, firstClickAt, sharedOf: clickId, status: 'click' };
  }
  const isStored = (customer: ModelCustomer) => [...customers.values()].includes(customer);

  /**
   * Binds a key to a customer, unless the customer has one that counts. If a browser bound it to another customer, it
   * is moved.
   */
  function bindKey(customer: ModelCustomer, customerKey?: string, keyBoundBy?: 'browser'): void {
    if (customerKey === undefined || keyOf(customer) !== undefined) return;
    Object.assign(byKey(customerKey) ?? {}, { customerKey: undefined, keyBoundBy: undefined });
    Object.assign(customer, { customerKey, keyBoundBy });
  }

  /** Applies a server's lead to a customer who is already a lead: it confirms the customer's key. */
  function confirm(customer: ModelCustomer, { customerKey: key }: Identifiers): void {
    if (key === undefined || customer.leadState !== 'settled') return;
    const holder = byKey(key);
    if (holder === customer) customer.keyBoundBy = undefined;
    else if (!holder || holder.keyBoundBy === 'browser') {
      // The server's key replaces one that a browser sent, even if the program accepts keys from browsers.
      if (customer.keyBoundBy === 'browser') Object.assign(customer, { customerKey: undefined, keyBoundBy: undefined });
      bindKey(customer, key);
    }
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

  /**
   * Finds the customer for a lead from a browser: in the click's program or, without a click, in the only program that
   * knows the key.
   */
  function ofBrowser(who: Identifiers): ModelCustomer | 'foreign' | undefined {
    if (customers.has(who.clickId ?? '')) return byKeyOrClick(who);
    if (who.clickId === foreign.clickId) return 'foreign';
    const own = byKey(who.customerKey);
    const isElsewhere = who.customerKey === foreign.customerKey;
    if (own && isElsewhere) return undefined;
    return own ?? (isElsewhere ? 'foreign' : undefined);
  }

  const isExpired = ({ status, signupAt, firstClickAt }: ModelCustomer, paidAt: number) =>
    status !== 'conversion' && (signupAt ?? paidAt) - firstClickAt > settings.attributionWindowDays * DAY;

  /** Whether the customer clicked only after the payment. */
  const isTooLate = ({ status, byCode, firstClickAt }: ModelCustomer, paidAt: number) =>
    status !== 'conversion' && !byCode && firstClickAt - paidAt > CLOCKS;

  /**
   * Decides whether a coupon code determines the customer of a sale. It does if no customer was found in time and, with
   * `code_first`, also if the customer has not bought yet.
   */
  function byClaim(found: ModelCustomer | undefined, { code, customerKey, paidAt }: SaleOrder, newId: string) {
    if (code === undefined || code === DISABLED) return { customer: found, byCode: false };
    const brings =
      !found ||
      (found.status !== 'conversion' &&
        (isExpired(found, paidAt) || isTooLate(found, paidAt) || settings.codePrecedence === 'code_first'));
    if (brings && !(found && isStored(found))) {
      const customer: ModelCustomer = { link: code, byCode: true, firstClickAt: paidAt, status: 'click' };
      bindKey(customer, customerKey);
      customers.set(newId, customer);
      return { customer, byCode: true };
    }
    if (brings) Object.assign(found, { link: code, byCode: true });
    return { customer: found, byCode: brings };
  }

  function commissionOf(
    order: SaleOrder,
    { commissionType, commissionRate, durationMonths }: ModelTerms,
    firstPurchaseAt?: number,
  ): ModelCommission | undefined {
    const { commissionBase } = settings;
    const isDue = commissionType.startsWith('recurring_')
      ? durationMonths === 0 ||
        firstPurchaseAt === undefined ||
        order.paidAt < monthsLater(firstPurchaseAt, durationMonths)
      : !order.isRecurring;
    if (!isDue) return undefined;
    const rate = Math.round(commissionRate * 10_000);
    const isPercent = commissionType.endsWith('percent');
    const baseAmountCents = order.amountCents - (commissionBase === 'gross' ? 0 : (order.taxCents ?? 0));
    return {
      baseAmountCents,
      amountCents: isPercent ? halfUp(baseAmountCents * rate, 1_000_000) : halfUp(100 * rate, 10_000),
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

    changeTerms(change: TermsChange): void {
      if (change.of === 'program') latest.program = versionOf(change.terms, 'program', latest.program);
      if (change.of === 'group') latest.group = versionOf(change.terms, 'group', latest.group);
      if (change.of === 'partner') {
        const { link, terms } = change;
        personal[link] = terms === null ? undefined : versionOf(terms, 'partner', personal[link]);
      }
      if (change.of === 'member' && latest.group) {
        if (change.isIn) members.add(change.link);
        else members.delete(change.link);
      }
    },
    hasGroup: () => latest.group !== undefined,
    changePolicy(leadAuth: LeadPolicy): void {
      policy = leadAuth;
    },

    /** Replaces the program key. The new key need not be rotated. */
    regenerate(): void {
      deadline = undefined;
    },
    mark(until: number): void {
      deadline = until;
    },
    /** Whether replies to a request with this credential warn that the key must be rotated. */
    isWarned: (credential: Credential, now: number) =>
      credential === 'current' && deadline !== undefined && now < deadline,

    /** Records a click. @param newId the id that the service gave to a new customer */
    click(link: number, existingId: string | undefined, newId: string, credential: Credential, now: number): Expected {
      const refusal = retired(credential, now);
      if (refusal) return refusal;
      expire(now);
      clicks[link]! += 1;
      const known = customers.get(existingId ?? '');
      const isKnown = known !== undefined && endOf(known) >= now + DAYS_LEFT * DAY;
      if (!isKnown) customers.set(newId, { link, firstLink: link, firstClickAt: now, status: 'click' });
      return ok({ click_id: isKnown ? existingId : newId, cookie_window_days: settings.attributionWindowDays });
    },

    lead(who: Identifiers, credential: Credential, now: number): Expected {
      expire(now);
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
        if (isServer && customer === customers.get(who.clickId ?? '')) confirm(customer, who);
        return refused(400, `Customer status cannot be updated to lead. Current status: ${status}`);
      }
      if (!isServer && policy === 'server_required') {
        customer.leadState = 'provisional';
        return ok({ provisional: true });
      }
      bindKey(customer, who.customerKey, isServer ? undefined : 'browser');
      Object.assign(customer, { status: 'lead', leadState: 'settled', signupAt: now });
      const isInTime = now - customer.firstClickAt <= settings.attributionWindowDays * DAY;
      // In this model, only the terms of the program itself include a commission for leads.
      const cents = inForce(customer.link).from === 'program' ? settings.leadCommissionCents : 0;
      if (isInTime && cents > 0) customer.leadCents = cents;
      return ok({ message: 'Lead tracked successfully' });
    },

    /** Records a sale. @param newId the id that the service gave to a customer whom a code created */
    sale(order: SaleOrder, newId: string, credential: Credential, now: number): Expected {
      expire(now);
      const refusal = locked(credential, now);
      if (refusal) return refusal;
      const { transactionId, amountCents, taxCents, currency, paidAt } = order;
      if (currency === 'GBP' && !ofSale(order)) recordUnsold(order);
      if (currency === 'GBP') return refused(422, 'currency GBP is not supported', 'unsupported_currency');
      if (sales.has(transactionId) || transactionId === foreign.transactionId) {
        const message = 'Duplicate transaction_id. This sale has already been recorded.';
        return refused(409, message, 'duplicate_transaction');
      }
      const found = ofSale(order);
      const { customer, byCode } = byClaim(found, order, newId);
      if (!customer || isTooLate(customer, paidAt) || (!customer.byCode && isExpired(customer, paidAt)))
        recordUnsold(order);
      if (!customer && isForeign(order)) {
        return refused(400, 'No affiliate attribution found for this customer in this program', 'no_attribution');
      }
      if (!customer) {
        const code = isNamed(order) ? 'no_attribution' : 'invalid_request';
        return refused(400, 'Customer not found. Provide customer_key or click_id.', code);
      }
      const age = (customer.signupAt ?? paidAt) - customer.firstClickAt;
      const days = settings.attributionWindowDays;
      if (isTooLate(customer, paidAt)) {
        return ok({ sale_id: null, attributed: false, reason: 'click_after_payment' });
      }
      if (!customer.byCode && isExpired(customer, paidAt)) {
        const reason = 'attribution_window_expired';
        return ok({ attributed: false, reason, click_age_days: Math.floor(age / DAY), window_days: days });
      }
      // Without a customer, a payment is never a renewal, even if the request says so.
      const decided = { ...order, isRecurring: order.isRecurring && customer.status === 'conversion' };
      const { version, from, ...terms } = termsOf(customer, decided);
      const commission = commissionOf(decided, terms, customer.firstPurchaseAt);
      const firstLink = customer.byCode ? undefined : customer.firstLink;
      const { link } = customer;
      sales.set(transactionId, {
        link,
        firstLink,
        code: order.code,
        byCode,
        amountCents,
        taxCents,
        currency,
        refundedCents: 0,
        terms: { version, from },
        commission,
      });
      customer.status = 'conversion';
      customer.firstPurchaseAt ??= paidAt;
      customer.firstTerms ??= version;
      if (customer.sharedOf !== undefined && !isStored(customer)) {
        const sharer = customers.get(customer.sharedOf)!;
        sharer.people = (sharer.people ?? 1) + 1;
        customers.set(newId, customer);
      }
      if (customer.leadState !== 'provisional') bindKey(customer, order.customerKey);
      else if (customer === customers.get(order.clickId ?? '') && customer.customerKey === undefined) {
        customer.unboundKey ??= order.customerKey;
      }
      const namesBoth = customer === customers.get(order.clickId ?? '') && customer.customerKey === order.customerKey;
      if (namesBoth) customer.keyBoundBy = undefined;
      const { isRecurring } = decided;
      return commission
        ? ok({ attributed: true, is_recurring: isRecurring, message: 'Sale tracked successfully' })
        : ok({ attributed: true, is_recurring: isRecurring, commission_id: null, reason: 'commission_not_due' });
    },

    refund({ transactionId, totalCents, reason }: RefundOrder, credential: Credential, now: number): Expected {
      const refusal = locked(credential, now);
      if (refusal) return refusal;
      const badAmount = 'refund_amount_cents must be';
      if (totalCents === 0) return refused(400, `${badAmount} a positive integer`, 'invalid_request');
      const sale = sales.get(transactionId);
      if (!sale) return refused(404, 'Sale not found for transaction_id', 'not_found');
      const { amountCents, commission, refundedCents } = sale;
      const total = totalCents ?? amountCents;
      if (total > amountCents) {
        return refused(400, `${badAmount} at most the amount of the sale, ${amountCents}`, 'invalid_request');
      }
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
