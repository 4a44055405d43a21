import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up of an Express application with `express.urlencoded()` or `express.json()`.
 * @param app the application
 * @param shop.referrals a ReferralClient
 * @param shop.createUser saves what the form says, and answers with the user
 * @param shop.report hears of a lead that could not be sent
 */
export function addSignup(app, { referrals, createUser, report = console.error }) {
  app.post('/signup', async (request, response) => {
    const user = await createUser(request.body);
    // A signup does not fail because tracking does.
    await referrals.trackLead({ customerId: user.id, clickId: clickIdFrom(request), email: user.email }).catch(report);
    response.status(201).json({ id: user.id });
  });
}
