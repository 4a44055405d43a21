import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up of an Express application with `express.urlencoded()` or `express.json()`. The click id is stored with
 * the user, so that no lead is lost to a rate limit or outage; `pending-leads.js` sends it.
 * @param app the application
 * @param shop.createUser stores the form's data with the `clickId` in one write, and returns the user
 * @param shop.sendLeads sends pending leads, see `runOneByOne` in pending-leads.js; the sign-up does not wait for it
 */
export function addSignup(app, { createUser, sendLeads }) {
  app.post('/signup', async (request, response) => {
    const user = await createUser({ ...request.body, clickId: clickIdFrom(request) });
    response.status(201).json({ id: user.id });
    sendLeads();
  });
}
