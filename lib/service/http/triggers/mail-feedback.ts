import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';
import { MAIL_TAG } from '#lib/service/outbox/effects/mailer.ts';

/** The event that EventBridge sends for Amazon SES. */
export interface MailFeedback {
  readonly time: string;
  readonly detail: {
    readonly eventType: string;
    readonly bounce?: { readonly bounceType?: string };
    readonly complaint?: { readonly complaintFeedbackType?: string };
    readonly mail: { readonly tags?: Readonly<Record<string, readonly string[]>> };
  };
}

export type FeedbackHandler = (
  event: MailFeedback,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** A Lambda function that calls an action with the id of a mail, if the mail's address must get no further mails. */
export const mailFeedback =
  (run: (deps: Deps, mailId: string) => Promise<void>): FeedbackHandler =>
  async ({ time, detail }, context) => {
    const mailId = detail.mail.tags?.[MAIL_TAG]?.[0];
    if (!isFinal(detail) || mailId === undefined) return;
    await run(requestDeps(new Date(time), context?.awsRequestId ?? '', context), mailId);
  };

/**
 * Whether the address must get no further mails. Not if a mail bounced because the mailbox is full, which is temporary,
 * or if a person moved a mail out of the spam folder, which means that they want such mails.
 */
const isFinal = ({ eventType, bounce, complaint }: MailFeedback['detail']): boolean =>
  (eventType === 'Bounce' && bounce?.bounceType === 'Permanent') ||
  (eventType === 'Complaint' && complaint?.complaintFeedbackType !== 'not-spam');
