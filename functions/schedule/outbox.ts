import { scheduled } from '#lib/service/http/triggers/scheduled.ts';
import { factData } from '#lib/service/http/triggers/fact-data.ts';
import { makeDueFacts } from '#lib/service/outbox/facts/make-due-facts.ts';
import { makeDueMails } from '#lib/service/outbox/mail/make-due-mails.ts';
import { resumeMails } from '#lib/service/outbox/mail/resume-mails.ts';
import { recordWaitingForGivenCodes } from '#lib/service/conversions/waiting/record-waiting-for-code.ts';
import { resumePayouts } from '#lib/service/earnings/recording/resume-payouts.ts';
import { settleTiers } from '#lib/service/conversions/tiers/settle-tiers.ts';
import { resumeErasures } from '#lib/service/operations/erasure/resume-erasures.ts';
import { sendHeartbeat } from '#lib/service/outbox/deliveries/send-heartbeat.ts';
import { wakeDueEndpoints } from '#lib/service/outbox/deliveries/wake-due-endpoints.ts';

/**
 * Sends heartbeats, corrects commissions that waited for the end of a month, creates facts and mails whose time has
 * come, continues interrupted sending, records payments that waited for a code, and continues erasures and payouts.
 */
export const handler = scheduled(
  sendHeartbeat,
  (deps) => settleTiers(deps),
  wakeDueEndpoints,
  (deps) => makeDueFacts(deps, factData),
  makeDueMails,
  resumeMails,
  recordWaitingForGivenCodes,
  (deps) => resumeErasures(deps),
  // Payouts come last, because a large payout takes all the time that is left in a run.
  resumePayouts,
);
