/** When the service or the network does not say how long to wait. */
const WAIT_SECONDS = 60;

/**
 * Sends the leads of users who have signed up, one by one. Run it after each sign-up and each minute, one run at a time:
 * `runOneByOne` below does both. Neither a limit nor an outage loses a lead, because it waits where the user is stored.
 * @param shop.referrals a ReferralClient
 * @param shop.pending answers with the users `{ id, clickId, email }` whose lead is not sent yet, oldest first
 * @param shop.sent notes that the lead of this user needs no other try
 * @param shop.report hears of a lead that is refused, which a later run tries again, and of an outage
 * @returns how many are done, and when to go on; 0 when none is left
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

/** A limit, an outage, a key that is not valid: the next lead would meet it, too. */
const stopsAll = ({ status = 500 }) => status === 401 || status === 429 || status >= 500;

/**
 * Runs it each minute. @returns runs it now, or once more after the run that is under way
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
