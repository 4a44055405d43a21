/** The types of events to which a brand's endpoint in Stripe must subscribe. */
export const stripeEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'payment_intent.succeeded',
  'invoice.paid',
  'invoice_payment.paid',
  'promotion_code.created',
  'promotion_code.updated',
  'customer.discount.created',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];
