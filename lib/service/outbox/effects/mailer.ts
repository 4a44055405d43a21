import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { domainToASCII } from 'node:url';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import type { MailMessage } from '#lib/service/outbox/mail/mail-message.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { withoutUnusedMiddleware } from '#lib/service/ground/effects/storage.ts';

/**
 * The result of sending: `sent` = accepted by SES, `rejected` = rejected permanently, `throttled` = SES limits our
 * rate, so the mail is sent again soon, `postponed` = the installation's SES account does not work, so the mail is sent
 * again later.
 */
export type Delivery = 'sent' | 'rejected' | 'throttled' | 'postponed';

/** The tag of an e-mail with its id. SES returns the tag when it reports a bounce. */
export const MAIL_TAG = 'mail';

/** Sends an e-mail with Amazon SES. @throws Error if it is unknown whether SES has accepted the e-mail */
export const sendMail = (deps: Sending, message: MailMessage): Promise<Delivery> => deps.once(sesMailer)(message, deps);

type Sending = Pick<Deps, 'once' | 'deadline' | 'log'>;

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

function sesMailer({ mail: { endpoint, configurationSet }, region }: Config) {
  const client = withoutUnusedMiddleware(
    new SESv2Client({
      region,
      endpoint,
      // The client must not retry: after a timeout, a second attempt could send the e-mail twice.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      ...(endpoint !== undefined && { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    }),
  );
  return async (message: MailMessage, { deadline: abortSignal, log }: Sending): Promise<Delivery> => {
    // The text of an error is not logged, because it may quote the address.
    const refused = (delivery: 'rejected' | 'postponed', reason: string): Delivery => {
      log.warn(`mail_${delivery}`, { mail_id: message.id, reason });
      return delivery;
    };
    const to = sendableAddress(message.to);
    if (to === undefined) return refused('rejected', 'InvalidAddress');
    const { from, subject, text, html, headers } = message;
    const replyTo = sendableAddress(message.replyTo ?? '');
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ReplyToAddresses: replyTo === undefined ? undefined : [replyTo],
      ConfigurationSetName: configurationSet,
      EmailTags: [
        { Name: 'kind', Value: message.kind },
        { Name: MAIL_TAG, Value: message.id },
      ],
      Content: {
        Simple: {
          Subject: utf8(subject),
          Body: { Text: utf8(text), Html: utf8(html) },
          Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
        },
      },
    });
    try {
      await client.send(command, { abortSignal });
      return 'sent';
    } catch (error) {
      const { code, name } = error as SesError;
      const delivery = deliveryAfter(error as SesError);
      return delivery === 'throttled' ? delivery : refused(delivery, code ?? name);
    }
  };
}

/** Words separated by single dots, and a host name. SES refuses a mail if one of its addresses has another form. */
const SENDABLE = /^(?!\.|.*\.\.|.*\.@)[!-~]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/;

/** Converts an address to ASCII, because SES accepts only ASCII. Undefined if SES would refuse the address. */
function sendableAddress(email: string): string | undefined {
  const address = addressOf(email);
  if (address === undefined) return undefined;
  const at = address.lastIndexOf('@');
  const sendable = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
  return SENDABLE.test(sendable) ? sendable : undefined;
}

interface SesError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Error codes of a connection that did not reach SES. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Interprets an error of SES. @throws the same error if SES may have accepted the e-mail */
function deliveryAfter(error: SesError): Exclude<Delivery, 'sent'> {
  const { name, message, code = '', $metadata: { httpStatusCode: status = 0 } = {} } = error;
  if (status === 429) return 'throttled';
  const isAboutSender = /not verified/.test(message);
  if ((name === 'MessageRejected' || name === 'BadRequestException') && !isAboutSender) return 'rejected';
  if ((status >= 400 && status < 500) || unreached.has(code)) return 'postponed';
  throw error;
}
