/**
 * Forwards Stripe's events to the service. Call it from the route of your webhook, with each event that
 * `stripe.webhooks.constructEvent` verified, and answer 200. Where it rejects, answer 500: Stripe sends the event again.
 * @param shop.referrals a ReferralClient
 * @param shop.report hears of what the service refuses, and would refuse again
 */
export const onStripeEvent =
  ({ referrals, report = console.error }) =>
  async (event) => {
    try {
      await referrals.trackStripeEvent(event);
    } catch (error) {
      if (error.status !== 400) throw error;
      report(error);
    }
  };
