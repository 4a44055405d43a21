/**
 * Forwards Stripe's events to the service. Call it from your webhook's route with each event that
 * `stripe.webhooks.constructEvent` has verified, then respond with 200. If it rejects, respond with 500, and Stripe
 * sends the event again.
 * @param shop.referrals a ReferralClient
 * @param shop.report is called for events that the service rejects permanently
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
