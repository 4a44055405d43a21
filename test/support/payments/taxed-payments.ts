import { expect } from 'vitest';
import type { Visitor } from '#test/support/payments/payers.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { intentPaid } from '#test/support/payments/single-payments.ts';
import { charge, checkoutSession, stripeEvent, type StripeEvent } from '#test/support/stripe/stripe.ts';
import type { World } from '#test/support/programs/world.ts';

// Payments of 119.00 including 19.00 tax in the formats of Stripe's API versions, reduced to the fields in which they
// differ. Sources: "The Checkout Session object" and "The Invoice object" in Stripe's API reference, the types of its
// library, and for 2025-03-31 the changelog entry "Replaces top-level tax-related properties with improved tax modeling
// on Invoices": invoices lost `tax` and `total_tax_amounts` and have `total_taxes`. Since 2025-09-30 an invoice
// contains its payments only if expanded; taxes are unchanged.

type Fields = Record<string, unknown>;

export const taxGenerations = ['before 2025-03-31', 'since 2025-03-31', 'since 2025-09-30'] as const;
export type TaxGeneration = (typeof taxGenerations)[number];

/** A paid checkout. It is the same in all versions. */
export const taxedSession = (id: string, metadata: Fields, more: Fields = {}): Fields =>
  checkoutSession(id, {
    amount_subtotal: 10_000,
    amount_total: 11_900,
    automatic_tax: { enabled: true, liability: { type: 'self' }, status: 'complete' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 1900 },
    metadata,
    ...more,
  });

const tax = (amount: number) => ({
  amount,
  tax_behavior: 'exclusive',
  tax_rate_details: { tax_rate: 'txr_1' },
  taxability_reason: 'standard_rated',
  taxable_amount: 10_000,
  type: 'tax_rate_details',
});

const formerTax = (amount: number) => ({
  amount,
  inclusive: false,
  tax_rate: 'txr_1',
  taxability_reason: 'standard_rated',
  taxable_amount: 10_000,
});

const paidBy = (id: string) => ({ payment: { type: 'payment_intent', payment_intent: `pi_${id}` } });

/**
 * A paid invoice.
 * @param subscription if undefined, the invoice itself has the metadata that identify the customer
 */
export function taxedInvoice(
  id: string,
  metadata: Fields,
  { generation, subscription, ...more }: Fields & { generation: TaxGeneration; subscription?: string },
): Fields {
  const isFormer = generation === 'before 2025-03-31';
  return {
    id: `in_${id}`,
    object: 'invoice',
    amount_paid: 11_900,
    billing_reason: subscription === undefined ? 'manual' : 'subscription_create',
    currency: 'usd',
    customer: `cus_${id}`,
    customer_email: null,
    metadata: subscription === undefined ? metadata : {},
    status: 'paid',
    status_transitions: { paid_at: 1_795_186_800 },
    subtotal: 10_000,
    total: 11_900,
    total_excluding_tax: 10_000,
    ...(isFormer
      ? {
          charge: `ch_${id}`,
          payment_intent: `pi_${id}`,
          subscription: subscription ?? null,
          subscription_details: { metadata: subscription === undefined ? null : metadata },
          tax: 1900,
          total_tax_amounts: [formerTax(1200), formerTax(700)],
        }
      : {
          parent:
            subscription === undefined
              ? null
              : { type: 'subscription_details', subscription_details: { subscription, metadata } },
          total_taxes: [tax(1200), tax(700)],
          ...(generation === 'since 2025-03-31' && { payments: { data: [paidBy(id)] } }),
        }),
    ...more,
  };
}

export const sessionPaid = ({ id, metadata }: Visitor, more: Fields = {}): StripeEvent =>
  stripeEvent('checkout.session.completed', taxedSession(id, metadata, more));

export const invoicePaid = ({ id, metadata }: Visitor, more: Parameters<typeof taxedInvoice>[2]): StripeEvent =>
  stripeEvent('invoice.paid', taxedInvoice(id, metadata, more));

/** The event of the payment intent, which does not contain the tax. */
export const untaxedIntent = ({ id, metadata }: Visitor, more: Fields = {}): StripeEvent =>
  intentPaid(id, metadata, { amount: 11_900, amount_received: 11_900, ...more });

/** The event of a refund. Default: half of the amount. */
export const refundOf = ({ id }: Visitor, cents = 5950): StripeEvent =>
  stripeEvent('charge.refunded', charge(id, { amount: 11_900, amount_refunded: cents }));

/** Finds the sale of a payment, whichever of its events recorded it. */
export async function soldBy(world: World, { id }: Visitor) {
  const all = await Promise.all([`cs_${id}`, `pi_${id}`, `in_${id}`].map((name) => saleItems(world, name)));
  const [one, ...others] = all.filter(({ sale }) => sale !== undefined);
  expect(others).toEqual([]);
  return one!;
}

/** The amounts of a sale whose commission is computed from the amount without tax. */
export const netSale = { amountCents: 11_900, taxCents: 1900, baseCents: 10_000 };
export const netCommission = { baseAmountCents: 10_000, amountCents: 2000, platformFee: { amountCents: 417 } };

/** The setting of programs that compute commissions from amounts without tax. */
export const EXCLUDING_TAX = { commissionBase: 'excluding_tax' } as const;
