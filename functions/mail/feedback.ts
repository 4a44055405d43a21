import { mailFeedback } from '#lib/service/http/triggers/mail-feedback.ts';
import { suppressAddressOf } from '#lib/service/outbox/mail/suppress-address.ts';

/** Blocks further mails to addresses whose mails bounced or were reported as spam. */
export const handler = mailFeedback(suppressAddressOf);
