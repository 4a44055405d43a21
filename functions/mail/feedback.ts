import { mailFeedback } from '#lib/service/triggers/events/mail-feedback.ts';
import { suppressAddressOf } from '#lib/service/use-cases/suppress-address.ts';

/** Bounces and complaints: an address that causes them gets no further mails. */
export const handler = mailFeedback(suppressAddressOf);
