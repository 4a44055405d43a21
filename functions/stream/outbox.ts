import { factData } from '#lib/service/http/triggers/fact-data.ts';
import { streamConsumer } from '#lib/service/http/triggers/stream-consumer.ts';
import { publishFacts } from '#lib/service/outbox/facts/publish-facts.ts';
import { sendMails } from '#lib/service/outbox/mail/send-mails.ts';

/** Creates facts and webhook deliveries, and then sends the queued mails. */
export const handler = streamConsumer(async (deps, { records }) => {
  const published = await publishFacts(deps, { records }, factData);
  return sendMails(deps, { records: records.slice(0, published) });
});
