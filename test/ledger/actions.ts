import { apiClient } from '#test/support/api-client.ts';
import { RECEIVED, sendDirect, type StripeEvent } from '#test/support/stripe.ts';
import type { TestReply } from '#test/support/request.ts';
import type { Command } from '#test/ledger/commands.ts';
import { decide, payOut } from '#test/ledger/deciding.ts';
import { grant } from '#test/ledger/earning.ts';
import { newRules } from '#test/ledger/new-rules.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import { refundByApi, type RefundCall, reverse, type Returned } from '#test/ledger/returning.ts';
import { clicked, customerOf, type Order, sell, settleByPayment, settleLead, type Sold } from '#test/ledger/selling.ts';
import { type Customer, DAY, dayOf, type Sale, type State } from '#test/ledger/state.ts';
import { settingsBody, termsBody } from '#test/ledger/wire.ts';

/** A command as a call of the service, and as what the ledger makes of it. */
export interface Action {
  readonly call: () => Promise<unknown>;
  /** Changes the state. @returns what the call must give */
  readonly act: (state: State) => unknown;
}

const picked = <T>(from: readonly T[], number: number): T | undefined => from[number % Math.max(1, from.length)];
const track = (program: Program) => apiClient('/api/v1/track', program.key);
const wrong = (status: number, message: string) => ({ status, message });
const readError = ({ status, body }: TestReply) => (status === 200 ? { status } : wrong(status, body.error.message));
const sendStripe = async (program: Program, event: StripeEvent, at: Date, isForwarded: boolean): Promise<void> => {
  if (newRules.forwarded && isForwarded) {
    const { status, body } = await track(program).post('/stripe', event, { at });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return;
  }
  const reply = await sendDirect(program.own.program.id, event, { at });
  if (reply.status !== RECEIVED.status) throw new Error(JSON.stringify(reply));
};

/** @param label of what the command makes @returns undefined where there is nothing that it could be done to */
export function actionOf(
  program: Program,
  state: State,
  command: Command,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  switch (command.do) {
    case 'click': {
      const { partner } = command;
      let clickId = '';
      return {
        call: async () => {
          const body = { affiliate_url: program.partners[partner]!.affiliateUrl };
          const reply = await track(program).post('/click', body, { at });
          clickId = reply.body.click_id;
          return reply.status;
        },
        act: (of) => {
          if (of.removed[partner]) return 410;
          clicked(of, clickId, partner, now);
          return 200;
        },
      };
    }
    case 'again': {
      const customer = picked(
        state.customers.filter(({ clickId }) => clickId !== null),
        command.customer,
      );
      if (!customer) return undefined;
      const { partner } = command;
      return {
        call: async () => {
          const { affiliateUrl } = program.partners[partner]!;
          const body = { affiliate_url: affiliateUrl, existing_click_id: customer.clickId };
          const reply = await track(program).post('/click', body, { at });
          return reply.status === 200 ? reply.body.click_id : reply.status;
        },
        act: (of) => {
          if (of.removed[partner]) return 410;
          of.clicks.push({ partner, on: dayOf(now) });
          return customer.clickId;
        },
      };
    }
    case 'lead':
    case 'browserLead': {
      const customer = picked(
        state.customers.filter(({ clickId }) => clickId !== null),
        command.customer,
      );
      if (!customer) return undefined;
      const isServer = command.do === 'lead';
      const isSelf = command.do === 'lead' && command.isSelf;
      const ids = { click_id: customer.clickId, customer_key: customer.key };
      const email = isSelf ? program.partners[customer.partner]!.email : `${label}@people.test`;
      return {
        call: async () => {
          const body = isServer ? { ...ids, email } : ids;
          const user = apiClient('/api/v1/track', isServer ? program.key : undefined);
          return readError(await user.post('/lead', body, { at }));
        },
        act: (of) => {
          const own = customerOf(of, customer.label)!;
          if (isServer) {
            const refusal = settleLead(of, own, now, isSelf ? own.partner : undefined);
            return refusal === undefined ? { status: 200 } : wrong(400, refusal);
          }
          if (own.status !== 'click') {
            return wrong(400, `Customer status cannot be updated to lead. Current status: ${own.status}`);
          }
          own.provisionalAt ??= now;
          return { status: 200 };
        },
      };
    }
    case 'sale':
      return apiSale(program, state, command, label, at);
    case 'resend': {
      const sale = picked(state.sales, command.sale);
      if (!sale) return undefined;
      const body = { transaction_id: sale.id, amount_cents: 1, currency: 'USD', customer_key: 'nobody' };
      return {
        call: async () => readError(await track(program).post('/sale', body, { at })),
        act: () => wrong(409, 'Duplicate transaction_id. This sale has already been recorded.'),
      };
    }
    case 'stripe':
      return stripePayment(program, state, command, label, at);
    case 'renew': {
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
    case 'stripeRefund':
    case 'dispute': {
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
      if (command.do === 'stripeRefund') {
        const event = stripe.refunded(payment, cents, { amount: sale.amount, at });
        return {
          call: () => sendStripe(program, event, at, command.sale % 2 === 0),
          act: (of) => void reverse(of, { kind: 'refund', ids, total: cents }, now),
        };
      }
      const dispute = stripe.id('dp', label);
      const event = stripe.dispute('created', payment, { amount: cents, at, more: { id: dispute } });
      return {
        call: () => sendStripe(program, event, at, command.sale % 2 === 0),
        act: (of) => void reverse(of, { kind: 'opened', ids, dispute, cents }, now),
      };
    }
    case 'win': {
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
      const more = { id: won.dispute };
      const event = stripe.dispute('closed', payment, { amount: won.cents, status: 'won', at, more });
      const ids = [stripe.id('pi', payment)];
      return {
        call: () => sendStripe(program, event, at, command.dispute % 2 === 0),
        act: (of) => void reverse(of, { kind: 'won', ids, dispute: won.dispute, cents: won.cents }, now),
      };
    }
    case 'refund':
      return apiRefund(program, state, command, at);
    case 'decide': {
      const one = picked(state.commissions, command.commission);
      if (!one) return undefined;
      const { decision } = command;
      return {
        call: async () => {
          const id = await commissionId(program, state, one.label, at);
          const owner = await program.owner(at);
          const { status, body } = await owner.post(
            `${program.path}/commissions/${id}/${decision}`,
            { reason: 'Drawn' },
            { at },
          );
          return status === 200 ? body.data.status : wrong(status, body.error.message);
        },
        act: (of) => {
          const own = of.commissions.find(({ label: each }) => each === one.label)!;
          const refusal = decide(of, own, decision, now);
          if (refusal) return wrong(409, refusal);
          if (decision === 'reject') return 'rejected';
          return decision === 'approve' || (of.settings.autoApprove && own.holdUntil <= now) ? 'approved' : 'pending';
        },
      };
    }
    case 'grant': {
      const { partner, cents, currency } = command;
      return {
        call: async () => {
          const owner = await program.owner(at);
          const { id } = program.partners[partner]!;
          const number = state.commissions.filter(({ kind }) => kind === 'manual').length;
          const body = { amount_cents: cents, currency, reason: `manual ${number}` };
          return readError(await owner.post(`${program.path}/partners/${id}/commissions`, body, { at }));
        },
        act: (of) => {
          if (of.removed[partner]) return wrong(409, 'No partner-program relationship found for this partner');
          grant(of, partner, cents, currency, now);
          return { status: 200 };
        },
      };
    }
    case 'payOut': {
      const { partner, daysBack } = command;
      const through = daysBack === null ? undefined : dayOf(now - daysBack * DAY);
      const choice = { ...(partner !== null && { partner }), ...(through !== undefined && { through }) };
      return {
        call: async () => {
          const owner = await program.owner(at);
          const body = { partner_id: partner === null ? undefined : program.partners[partner]!.id, through };
          const reply = await owner.post(`${program.path}/payouts`, body, { at });
          return reply.status === 200 ? itemsOf(program, reply.body.data) : readError(reply);
        },
        act: (of) => {
          const payout = payOut(of, choice, now);
          if (!payout) return wrong(409, 'No approved commissions to pay out');
          return payout.items.map(({ of: _, ...item }) => item);
        },
      };
    }
    case 'terms': {
      const { of: whose, partner, terms } = command;
      if (terms === null && whose !== 'personal') return undefined;
      return {
        call: async () => {
          const owner = await program.owner(at);
          const body = terms && termsBody(terms);
          if (whose === 'program') return readError(await owner.patch(program.path, body, { at }));
          if (whose === 'personal') {
            const { id } = program.partners[partner]!;
            return readError(await owner.patch(`${program.path}/partners/${id}`, { terms: body }, { at }));
          }
          const url = `${program.path}/groups`;
          const { groupId } = program;
          if (groupId !== undefined) return readError(await owner.patch(`${url}/${groupId}`, { terms: body }, { at }));
          const reply = await owner.post(url, { name: 'Gold', terms: body }, { at });
          program.groupId = reply.body.data.id;
          return readError(reply);
        },
        act: (state_) => {
          if (whose === 'program') state_.terms.program = terms!;
          if (whose === 'group') state_.terms.group = terms!;
          if (whose === 'personal') state_.terms.personal[partner] = terms;
          return { status: 200 };
        },
      };
    }
    case 'member': {
      const { partner, isIn } = command;
      if (!state.terms.group) return undefined;
      return {
        call: async () => {
          const owner = await program.owner(at);
          const body = { group_id: isIn ? program.groupId : null };
          return readError(
            await owner.patch(`${program.path}/partners/${program.partners[partner]!.id}`, body, { at }),
          );
        },
        act: (of) => {
          of.members[partner] = isIn;
          return { status: 200 };
        },
      };
    }
    case 'settings':
      return {
        call: async () =>
          readError(await (await program.owner(at)).patch(program.path, settingsBody(command.change), { at })),
        act: (of) => {
          Object.assign(of.settings, command.change);
          return { status: 200 };
        },
      };
    case 'partner': {
      const { partner, isRemoved } = command;
      return {
        call: async () => {
          const owner = await program.owner(at);
          const body = { status: isRemoved ? 'removed' : 'active' };
          return readError(
            await owner.patch(`${program.path}/partners/${program.partners[partner]!.id}`, body, { at }),
          );
        },
        act: (of) => {
          of.removed[partner] = isRemoved;
          return { status: 200 };
        },
      };
    }
    case 'wait':
    case 'race':
      return undefined;
  }
}

/** What a payout holds, without ids. */
export function itemsOf(program: Program, { items }: { readonly items: readonly Row[] }) {
  const numberOf = (id: unknown): number => program.partners.findIndex((partner) => partner.id === id);
  return items
    .map((item) => ({ partner: numberOf(item.partner_id), currency: String(item.currency), cents: item.amount_cents }))
    .toSorted((a, b) => a.partner - b.partner || (a.currency < b.currency ? -1 : 1));
}

/** The ledger's name of a commission of the service. */
export function labelOf(state: State, row: Row): string {
  if (row.kind === 'sale') return `sale ${String(row.transaction_id)}`;
  if (row.kind === 'manual') return String(row.reason);
  return `lead ${state.customers.find(({ clickId }) => clickId === row.click_id)?.label ?? '?'}`;
}

async function commissionId(program: Program, state: State, label: string, at: Date): Promise<unknown> {
  const rows = await program.rowsOf(await program.owner(at), `${program.path}/commissions?limit=100`, at);
  return rows.find((row) => labelOf(state, row) === label)?.id;
}

function payer({ stripe }: Program, { label, clickId, key }: Customer, at: Date) {
  const metadata = { ...(clickId !== null && { service_click_id: clickId }), service_customer_key: key };
  return { metadata, at, more: { customer: stripe.id('cus', label) } };
}

/** Who can be named by a payment. */
const payers = ({ customers }: State): Customer[] =>
  customers.filter(({ clickId, isKeyBound }) => clickId !== null || isKeyBound);

function apiSale(
  program: Program,
  state: State,
  command: Extract<Command, { do: 'sale' }>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const customer = command.by === 'code' ? undefined : picked(payers(state), command.customer);
  if (!customer && command.by !== 'code') return undefined;
  // Whether a code helps the customer of a removed partner is left open.
  const code = customer && state.removed[customer.partner] ? null : command.code;
  const paidAt = Math.max(now - command.hoursAgo * 3_600_000, customer?.firstClickAt ?? 0);
  const { amount, taxPercent } = command;
  const tax = taxPercent === null ? null : Math.round((amount * taxPercent) / 100);
  const isNamedByKey = customer && (command.by === 'key' || customer.clickId === null) && customer.isKeyBound;
  const newKey = customer || command.customer % 2 === 0 ? undefined : `${program.name} ${label}`;
  const payment = picked(
    state.sales.filter(({ source }) => source === 'processor'),
    command.payment ?? 0,
  );
  const named = command.payment !== null && payment ? payment.ids.find((id) => id.startsWith('pi_')) : undefined;
  const id = `${program.name} ${label}`;
  const subscription = command.subscription === null || !customer ? null : `${customer.label} ${command.subscription}`;
  const order: Order = {
    id,
    ids: [id, ...(named ? [named] : [])],
    ...(customer && { customer: customer.label }),
    ...(newKey && { newKey }),
    source: 'api',
    amount,
    tax,
    currency: command.currency ?? state.settings.currency,
    type: command.type,
    subscription,
    isRecurring: command.isRecurring,
    paidAt,
    code,
  };
  const body = {
    transaction_id: id,
    amount_cents: amount,
    tax_cents: tax,
    currency: command.currency,
    sale_type: command.type,
    subscription_id: subscription,
    is_recurring: command.isRecurring,
    coupon_code: code === null ? undefined : `code${code}`,
    provider: named && 'stripe',
    provider_payment_id: named,
    ...(customer && { customer_key: customer.key }),
    ...(newKey && { customer_key: newKey }),
    ...(customer?.clickId && !isNamedByKey && { click_id: customer.clickId }),
    ...(paidAt !== now && { occurred_at: new Date(paidAt).toISOString() }),
  };
  return {
    call: async () => {
      const reply = await track(program).post('/sale', body, { at });
      return reply.status === 200 ? saleAnswer(reply.body) : readError(reply);
    },
    act: (of) => expectedSale(sell(of, order, now)),
  };
}

const saleAnswer = (body: Row) => ({
  attributed: body.attributed,
  isPaid: body.commission_id !== null,
  reason: body.reason,
  ...(newRules.decidedRenewals && { isRecurring: body.is_recurring }),
  age: body.click_age_days,
});

function expectedSale(sold: Sold): unknown {
  if (sold.kind === 'duplicate' || sold.kind === 'same') {
    return wrong(409, 'Duplicate transaction_id. This sale has already been recorded.');
  }
  if (sold.kind === 'removed') return wrong(400, 'No partner-program relationship found for this customer');
  if (sold.kind === 'nobody') return wrong(400, 'Customer not found. Provide customer_key or click_id.');
  if (sold.kind === 'late') {
    const age = Math.floor(sold.age / DAY);
    return saleAnswer({
      attributed: false,
      commission_id: null,
      reason: 'attribution_window_expired',
      click_age_days: age,
    });
  }
  const reason = sold.commission ? undefined : 'commission_not_due';
  const { isRecurring } = sold.sale;
  return {
    ...saleAnswer({ attributed: true, reason }),
    isPaid: sold.commission !== undefined,
    ...(newRules.decidedRenewals && { isRecurring }),
  };
}

function stripePayment(
  program: Program,
  state: State,
  command: Extract<Command, { do: 'stripe' }>,
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
  const isSubscription = kind === 'subscribe' || kind === 'invoice';
  const session =
    kind === 'checkout' || kind === 'subscribe'
      ? stripe.checkout(label, { ...of, ...(isSubscription && { subscription: label }) })
      : undefined;
  const invoice = isSubscription
    ? stripe.invoice(label, { ...of, subscription: label, reason: 'subscription_create' })
    : undefined;
  const intent = kind === 'intent' ? stripe.intent(label, of) : undefined;
  const link = isSubscription && hasInvoicePayments ? stripe.invoicePayment(label, { amount, at }) : undefined;
  const all = [session, invoice, intent, link].filter((event) => event !== undefined);
  const inOrder = command.isReversed ? all.toReversed() : all;
  const events = command.isTwice ? [...inOrder, ...inOrder] : inOrder;
  // Older versions do not tell whether an invoice has no tax, or one that is not known.
  const isTaxUnknown = kind === 'intent' || (kind === 'invoice' && tax === 0 && !hasInvoicePayments);
  const prefix = { checkout: 'cs', intent: 'pi', subscribe: 'in', invoice: 'in' }[kind];
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
      // The session of a subscription leaves a provisional lead to the invoice.
      for (const event of events) {
        const own = customerOf(state_, customer.label)!;
        if (event === link) continue;
        if (!(event === session && isSubscription)) settleByPayment(state_, own, now, now);
        sell(state_, order, now);
      }
    },
  };
}

function apiRefund(
  program: Program,
  state: State,
  command: Extract<Command, { do: 'refund' }>,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const sale = picked(state.sales, command.sale);
  if (!sale) return undefined;
  const { percent, reason } = command;
  // What a correction of the total makes of refunds with ids is left open: no sale gets both.
  const hasIds = state.sales.indexOf(sale) % 2 === 0;
  const id = command.id === null || !hasIds ? undefined : `refund ${command.id}`;
  const isCorrection = command.isCorrection && hasIds === (id !== undefined);
  const least = isCorrection ? 0 : 1;
  const part = percent ?? (id !== undefined || isCorrection ? 100 : null);
  const cents = part === null ? undefined : Math.max(least, Math.floor((sale.amount * part) / 100));
  const call: RefundCall = {
    reason,
    ...(cents !== undefined && { cents }),
    ...(id && { id }),
    ...(isCorrection && { isCorrection }),
  };
  const body = {
    transaction_id: refundId(sale, command.sale),
    reason,
    refund_amount_cents: cents,
    refund_id: id,
    ...(isCorrection && { correction: true }),
  };
  return {
    call: async () => {
      const reply = await track(program).post('/refund', body, { at });
      return reply.status === 200 ? refundAnswer(reply.body) : readError(reply);
    },
    act: (of) => {
      const own = of.sales.find((each) => each.id === sale.id)!;
      const known = id === undefined ? undefined : own.refunds.byId[id];
      const returned = refundByApi(of, own, call, now);
      if (returned) return expectedRefund(returned, reason);
      return wrong(400, `refund_id ${id} is recorded with ${known}. Send correction: true to change it.`);
    },
  };
}

const refundId = ({ id, ids }: Sale, number: number): string =>
  newRules.anyId ? picked([id, ...ids.filter((each) => each.startsWith('pi_'))], number)! : id;

const refundAnswer = (body: Row) => ({
  status: body.status,
  reason: body.reason,
  total: body.refunded_amount_cents,
  deducted: body.deduction_cents,
});

function expectedRefund({ status, reason, total, deducted }: Returned, told: string): unknown {
  if (status === 'no_commission') return refundAnswer({ status });
  if (status === 'skipped') return refundAnswer({ status, reason });
  const chargeback = told === 'chargeback' && status !== 'corrected' ? { reason: told } : {};
  return refundAnswer({ status, ...chargeback, refunded_amount_cents: total, deduction_cents: deducted });
}
