import { type Action, type CommandOf, picked, readError, track, wrong, payers } from '#test/ledger/play/calls.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import { type Order, sell, type Sold } from '#test/ledger/selling.ts';
import { DAY, type State } from '#test/ledger/state.ts';

// Sales that the brand sends to the API.

export function saleAction(
  program: Program,
  state: State,
  command: CommandOf<'sale'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const customer = command.by === 'code' ? undefined : picked(payers(state), command.customer);
  if (!customer && command.by !== 'code') return undefined;
  // No code is sent for a customer whose partner was removed, because it is not specified whether the code then
  // applies.
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

export function resendAction(
  program: Program,
  state: State,
  command: CommandOf<'resend'>,
  ___: string,
  at: Date,
): Action | undefined {
  const sale = picked(state.sales, command.sale);
  if (!sale) return undefined;
  const body = { transaction_id: sale.id, amount_cents: 1, currency: 'USD', customer_key: 'nobody' };
  return {
    call: async () => readError(await track(program).post('/sale', body, { at })),
    act: () => wrong(409, 'Duplicate transaction_id. This sale has already been recorded.'),
  };
}

const saleAnswer = (body: Row) => ({
  attributed: body.attributed,
  isPaid: body.commission_id !== null,
  reason: body.reason,
  isRecurring: body.is_recurring,
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
    isRecurring,
  };
}
