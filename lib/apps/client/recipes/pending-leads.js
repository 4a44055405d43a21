/** Wait if neither the service nor the network says how long. */
const WAIT_SECONDS = 60;

/**
 * Sends the leads of users who have signed up, one by one. Run it after each sign-up and every minute, one run at a
 * time: `runOneByOne` below does both. No lead is lost to a rate limit or outage, because it stays pending with the
 * user.
 * @param shop.referrals a ReferralClient
 * @param shop.pending returns the users `{ id, clickId, email }` whose lead is not sent yet, oldest first
 * @param shop.sent records that the lead of this user is done
 * @param shop.report is called for a rejected lead, which a later run retries, and for an outage
 * @returns the number of leads done, and the wait until the next run; 0 if none is left
 */
export async function sendPendingLeads({ referrals, pending, sent, report = console.error }) {
  let done = 0;
  for (const user of await pending()) {
    try {
      await referrals.trackLead({ customerId: user.id, clickId: user.clickId, email: user.email });
    } catch (error) {
      if (error.reason !== 'customer_past_lead') {
        if (error.status !== 429) report(error);
        if (stopsAll(error)) return { sent: done, retryAfterSeconds: error.retryAfterSeconds ?? WAIT_SECONDS };
        continue;
      }
    }
    await sent(user);
    done += 1;
  }
  return { sent: done, retryAfterSeconds: 0 };
}

/** A rate limit, an outage or an invalid key would affect the next lead, too. */
const stopsAll = ({ status = 500 }) => status === 401 || status === 429 || status >= 500;

/**
 * Runs `sendPendingLeads` every minute. @returns a function that starts a run now, or once more after the current run
 */
export function runOneByOne(shop, everyMs = 60_000) {
  let running;
  let isAskedAgain = false;
  const run = () => {
    isAskedAgain = running !== undefined;
    running ??= sendPendingLeads(shop)
      .catch(shop.report ?? console.error)
      .finally(() => {
        running = undefined;
        if (isAskedAgain) run();
      });
    return running;
  };
  setInterval(run, everyMs).unref();
  return run;
}
