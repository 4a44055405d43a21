import { factData } from '#lib/service/http/triggers/fact-data.ts';
import { streamConsumer } from '#lib/service/http/triggers/stream-consumer.ts';
import { publishFacts } from '#lib/service/outbox/facts/publish-facts.ts';
import { sendMails } from '#lib/service/outbox/mail/send-mails.ts';
import { keepLaterClicks } from '#lib/service/traffic/clicks/keep-later-clicks.ts';

/**
 * Creates facts and webhook deliveries, sends the queued mails, and removes the expiry of clicks whose customers signed
 * up or paid.
 */
export const handler = streamConsumer(async (deps, { records }) => {
  const kept = await keepLaterClicks(deps, { records });
  const published = await publishFacts(deps, { records: records.slice(0, kept) }, factData);
  return sendMails(deps, { records: records.slice(0, published) });
});
