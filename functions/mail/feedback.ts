import { mailFeedback } from '#lib/service/http/triggers/mail-feedback.ts';
import { suppressAddressOf } from '#lib/service/outbox/mail/suppress-address.ts';

/** Bounces and complaints: an address that causes them gets no further mails. */
export const handler = mailFeedback(suppressAddressOf);
