import type { Customer, UnlinkedCustomer } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { ClickOnTheWay } from '#lib/service/reports/stories/timeline.ts';
import type { CountedCustomer } from '#lib/service/reports/stories/read-customer.ts';
import type * as wire from '#lib/wire/traffic/customer.ts';

/** A customer in a list. */
export const customerReply = ({ customer, partner, amounts }: CountedCustomer): wire.Customer => ({
  ...customerFactsReply(customer),
  partner_id: customer.partnerId ?? null,
  partner_name: partner?.name ?? null,
  short_link: customer.shortLink ?? null,
  amounts: customerAmountsReply(amounts),
});

/** Amounts by currency. */
export const customerAmountsReply = (amounts: CountedCustomer['amounts']): wire.Customer['amounts'] =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]): [string, wire.CustomerAmounts] => [
      currency,
      {
        revenue_cents: amount.revenueCents,
        refunded_cents: amount.refundedCents,
        commission_cents: amount.commissionCents,
      },
    ]),
  );

export const customerFactsReply = (customer: Customer): wire.CustomerFacts => ({
  click_id: customer.clickId,
  customer_key: customer.customerKey ?? null,
  status: customer.status,
  lead_state: customer.leadState ?? null,
  email_masked: customer.email?.masked ?? null,
  source: customer.source ?? 'click',
  code: customer.code ?? null,
  first_click_at: customer.firstClickAt,
  signup_at: customer.signupAt ?? null,
  first_purchase_at: customer.firstPurchaseAt ?? null,
});

export const clickReply = ({
  id,
  at,
  shortLink,
  partnerId,
  partnerName,
  isFirst,
}: ClickOnTheWay): wire.CustomerClick => ({
  id,
  at,
  short_link: shortLink,
  partner_id: partnerId ?? null,
  partner_name: partnerName ?? null,
  first: isFirst,
});

export const leadReply = ({ id, state, mode, createdAt }: Lead): wire.CustomerLead => ({
  id,
  state,
  mode,
  at: createdAt,
});

/** A customer that an owner unlinked. */
export const unlinkedCustomerReply = ({
  clickId,
  unlinkedAt,
  unlinkReason,
}: UnlinkedCustomer): wire.UnlinkedCustomer => ({
  click_id: clickId,
  unlinked: true,
  unlinked_at: unlinkedAt,
  reason: unlinkReason,
});
