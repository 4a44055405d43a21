import {
  paymentFromStripeEvent,
  refundFromStripeEvent,
  saleFromStripeEvent,
  ValidationError,
} from 'referral-tracking-service';

/**
 * Tells the service of Stripe's payments, refunds and disputes. Call it from the route of your webhook, with the event that
 * `stripe.webhooks.constructEvent` verified, and answer 200. Where it rejects, answer 500: Stripe sends the event again.
 * @param shop.referrals a ReferralClient
 * @param shop.payments a table of yours: `keep({ paymentIntentId, invoiceId, replaces })`, `find(paymentIntentId)`
 * @param shop.testPayments takes payments of Stripe's test mode too, which earn real commissions: not in production
 * @param shop.report hears of what the service refuses, and would refuse again
 */
export const onStripeEvent =
  ({ referrals, payments, testPayments = false, report = console.error }) =>
  async (event) => {
    try {
      const sale = saleFromStripeEvent(event, { testPayments });
      if (sale) await referrals.trackSale(sale);
      const payment = paymentFromStripeEvent(event);
      if (payment) await payments.keep(payment);
      const refund = await refundFromStripeEvent(event, { invoiceIdOf: (id) => payments.find(id) });
      if (refund) await referrals.trackRefund(refund);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      // Of a customer whom no partner brought there is no sale, so there is none to refund.
      if (error.reason !== 'sale_not_found') report(error);
    }
  };
