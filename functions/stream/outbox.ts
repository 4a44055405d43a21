import { factData } from '#lib/service/triggers/stream/fact-data.ts';
import { streamConsumer } from '#lib/service/triggers/stream/stream-consumer.ts';
import { publishFacts } from '#lib/service/use-cases/publish-facts.ts';
import { sendMails } from '#lib/service/use-cases/send-mails.ts';

/** Tells a brand's other systems what has happened, and then sends the mails that transactions have left. */
export const handler = streamConsumer(async (deps, { records }) => {
  const published = await publishFacts(deps, { records }, factData);
  return sendMails(deps, { records: records.slice(0, published) });
});
