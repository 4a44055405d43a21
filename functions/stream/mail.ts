import { streamConsumer } from '#lib/service/triggers/stream/stream-consumer.ts';
import { sendMails } from '#lib/service/use-cases/send-mails.ts';

/** Sends the mails that transactions have left. */
export const handler = streamConsumer(sendMails);
