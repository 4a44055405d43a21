import { type Action, type CommandOf, picked, sendStripe, payer, payers } from '#test/ledger/play/calls.ts';
import type { Program } from '#test/ledger/program.ts';
import { reverse } from '#test/ledger/returning.ts';
import { customerOf, type Order, sell, settleByPayment } from '#test/ledger/selling.ts';
import { type State } from '#test/ledger/state.ts';

// Events that Stripe sends.

function eventsOf(
  { stripe, hasInvoicePayments }: Program,
  { kind, amount, isTwice, isReversed }: Pick<CommandOf<'stripe'>, 'kind' | 'amount' | 'isTwice' | 'isReversed'>,
  label: string,
  of: Parameters<Program['stripe']['intent']>[1] & { readonly at: Date },
) {
  const isSubscription = kind === 'subscribe' || kind === 'invoice';
  const session =
    kind === 'checkout' || kind === 'subscribe'
      ? stripe.checkout(label, { ...of, ...(isSubscription && { subscription: label }) })
      : undefined;
  const invoice = isSubscription
    ? stripe.invoice(label, { ...of, subscription: label, reason: 'subscription_create' })
    : undefined;
  const intent = kind === 'intent' ? stripe.intent(label, of) : undefined;
  const link = isSubscription && hasInvoicePayments ? stripe.invoicePayment(label, { amount, at: of.at }) : undefined;
  const all = [session, invoice, intent, link].filter((event) => event !== undefined);
  const inOrder = isReversed ? all.toReversed() : all;
  return { events: isTwice ? [...inOrder, ...inOrder] : inOrder, session, link, isSubscription };
}

const idPrefix = { checkout: 'cs', intent: 'pi', subscribe: 'in', invoice: 'in' } as const;

export function stripeAction(
  program: Program,
  state: State,
  command: CommandOf<'stripe'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const customer = picked(payers(state), command.customer);
  if (!customer) return undefined;
  const { stripe, hasInvoicePayments } = program;
  const { kind, amount, taxPercent } = command;
  const tax = Math.round((amount * taxPercent) / 100);
  const of = { amount, tax, currency: command.currency.toLowerCase(), ...payer(program, customer, at) };
  const { events, session, link, isSubscription } = eventsOf(program, command, label, of);
  // In older API versions, an invoice without tax looks the same as one whose tax is unknown.
  const isTaxUnknown = kind === 'intent' || (kind === 'invoice' && tax === 0 && !hasInvoicePayments);
  const prefix = idPrefix[kind];
  const order: Order = {
    id: stripe.id(prefix, label),
    ids: [prefix, 'cs', 'pi', 'ch', 'in'].map((each) => stripe.id(each, label)),
    customer: customer.label,
    source: 'processor',
    amount,
    tax: isTaxUnknown ? null : tax,
    currency: command.currency,
    type: isSubscription ? 'subscription' : 'payment',
    subscription: isSubscription ? stripe.id('sub', label) : null,
    isRecurring: false,
    paidAt: now,
    code: null,
  };
  return {
    call: async () => {
      for (const event of events) await sendStripe(program, event, at, command.customer % 2 === 0);
    },
    act: (state_) => {
      // The checkout session of a subscription does not settle a provisional lead, but its invoice does.
      for (const event of events) {
        const own = customerOf(state_, customer.label)!;
        if (event === link) continue;
        if (!(event === session && isSubscription)) settleByPayment(state_, own, now, now);
        sell(state_, order, now);
      }
    },
  };
}

/**
 * Sends a live payment to a sandbox. The service records no sale, and lists the payment once, however many events it
 * has.
 */
export function liveAction(
  program: Program,
  state: State,
  command: CommandOf<'live'>,
  label: string,
  at: Date,
): Action | undefined {
  const customer = picked(payers(state), command.customer);
  if (!customer || !program.isSandbox) return undefined;
  const { kind, amount, currency } = command;
  const of = { amount, currency: currency.toLowerCase(), ...payer(program, customer, at) };
  const { events } = eventsOf(program, command, label, of);
  return {
    call: async () => {
      for (const event of events) await sendStripe(program, event, at, command.customer % 2 === 0, false);
    },
    act: ({ listed }) => {
      listed.push({ id: program.stripe.id(idPrefix[kind], label), cents: amount, currency, at: at.getTime() });
    },
  };
}

export function renewalAction(
  program: Program,
  state: State,
  command: CommandOf<'renew'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const sale = picked(
    state.sales.filter(({ source, subscription }) => source === 'processor' && subscription),
    command.sale,
  );
  if (!sale) return undefined;
  const customer = customerOf(state, sale.customer)!;
  const { stripe } = program;
  const subscription = sale.subscription!.split('_').at(-1)!;
  const of = {
    amount: command.amount,
    subscription,
    currency: sale.currency.toLowerCase(),
    ...payer(program, customer, at),
  };
  const reason = command.isUpgrade ? 'subscription_update' : 'subscription_cycle';
  const events = [stripe.invoice(label, { ...of, reason })];
  if (program.hasInvoicePayments) events.unshift(stripe.invoicePayment(label, { amount: command.amount, at }));
  const order: Order = {
    id: stripe.id('in', label),
    ids: ['in', 'pi', 'ch'].map((kind) => stripe.id(kind, label)),
    customer: customer.label,
    source: 'processor',
    amount: command.amount,
    tax: program.hasInvoicePayments ? 0 : null,
    currency: sale.currency,
    type: 'subscription',
    subscription: sale.subscription,
    isRecurring: true,
    paidAt: now,
    code: null,
  };
  return {
    call: async () => {
      for (const event of events) await sendStripe(program, event, at, command.sale % 2 === 0);
    },
    act: (state_) => {
      settleByPayment(state_, customerOf(state_, customer.label)!, now, now);
      sell(state_, order, now);
    },
  };
}

const HOUR = 3_600_000;

export function earlyAction(
  program: Program,
  state: State,
  command: CommandOf<'early'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const firstAt = now - command.hoursBefore * HOUR;
  const buyers = payers(state).filter((one) => one.firstPurchaseAt === null && one.firstClickAt <= firstAt);
  const customer = picked(buyers, command.customer);
  if (!customer) return undefined;
  const { stripe } = program;
  const told = [
    { label: `${label}later`, amount: command.amount, reason: 'subscription_cycle', paidAt: now },
    { label, amount: command.firstAmount, reason: 'subscription_create', paidAt: firstAt },
  ];
  const events = told.flatMap(({ label: name, amount, reason, paidAt }) => {
    const of = { ...payer(program, customer, new Date(paidAt)), amount, subscription: label, currency: 'usd', reason };
    const link = program.hasInvoicePayments ? [stripe.invoicePayment(name, { amount, at: new Date(paidAt) })] : [];
    return [...link, stripe.invoice(name, of)];
  });
  const orders = told.map(({ label: name, amount, reason, paidAt }): Order => ({
    id: stripe.id('in', name),
    ids: ['in', 'pi', 'ch'].map((kind) => stripe.id(kind, name)),
    customer: customer.label,
    source: 'processor',
    amount,
    tax: program.hasInvoicePayments ? 0 : null,
    currency: 'USD',
    type: 'subscription',
    subscription: stripe.id('sub', label),
    isRecurring: reason === 'subscription_cycle',
    paidAt,
    code: null,
  }));
  return {
    call: async () => {
      for (const event of events) await sendStripe(program, event, at, command.customer % 2 === 0);
    },
    act: (state_) => {
      for (const order of orders) {
        settleByPayment(state_, customerOf(state_, customer.label)!, order.paidAt, now);
        sell(state_, order, now);
      }
    },
  };
}

export function returnedAction(
  program: Program,
  state: State,
  command: CommandOf<'stripeRefund' | 'dispute'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const sale = picked(
    state.sales.filter(({ ids }) => ids.some((id) => id.startsWith('pi_'))),
    command.sale,
  );
  if (!sale) return undefined;
  const payment = sale.ids
    .find((id) => id.startsWith('pi_'))!
    .split('_')
    .at(-1)!;
  const cents = Math.max(1, Math.round((sale.amount * command.percent) / 100));
  const { stripe } = program;
  const ids = [stripe.id('pi', payment)];
  const currency = sale.currency.toLowerCase();
  if (command.do === 'stripeRefund') {
    const event = stripe.refunded(payment, cents, { amount: sale.amount, currency, at });
    return {
      call: () => sendStripe(program, event, at, command.sale % 2 === 0),
      act: (of) => reverse(of, { kind: 'refund', ids, total: cents }, now),
    };
  }
  const dispute = stripe.id('dp', label);
  const event = stripe.dispute('created', payment, { amount: cents, currency, at, more: { id: dispute } });
  return {
    call: () => sendStripe(program, event, at, command.sale % 2 === 0),
    act: (of) => reverse(of, { kind: 'opened', ids, dispute, cents }, now),
  };
}

export function wonAction(
  program: Program,
  state: State,
  command: CommandOf<'win'>,
  ___: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const open = state.sales.flatMap((sale) =>
    Object.entries(sale.disputes).flatMap(([dispute, cents]) => (cents === null ? [] : [{ sale, dispute, cents }])),
  );
  const won = picked(open, command.dispute);
  if (!won) return undefined;
  const payment = won.sale.ids
    .find((id) => id.startsWith('pi_'))!
    .split('_')
    .at(-1)!;
  const { stripe } = program;
  const currency = won.sale.currency.toLowerCase();
  const more = { id: won.dispute };
  const event = stripe.dispute('closed', payment, { amount: won.cents, currency, status: 'won', at, more });
  const ids = [stripe.id('pi', payment)];
  return {
    call: () => sendStripe(program, event, at, command.dispute % 2 === 0),
    act: (of) => reverse(of, { kind: 'won', ids, dispute: won.dispute, cents: won.cents }, now),
  };
}
