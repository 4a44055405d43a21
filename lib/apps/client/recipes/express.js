import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up of an Express application with `express.urlencoded()` or `express.json()`. The click id is stored with the
 * user, so that no limit and no outage loses the lead; `pending-leads.js` sends it.
 * @param app the application
 * @param shop.createUser saves what the form says, with the `clickId`, in one write, and answers with the user
 * @param shop.sendLeads sends what waits, see `runOneByOne` in pending-leads.js; the sign-up does not wait for it
 */
export function addSignup(app, { createUser, sendLeads }) {
  app.post('/signup', async (request, response) => {
    const user = await createUser({ ...request.body, clickId: clickIdFrom(request) });
    response.status(201).json({ id: user.id });
    sendLeads();
  });
}
