import { type Deps, type LambdaContext, requestDeps } from '#lib/service/deps.ts';
import { MAIL_TAG } from '#lib/service/mailer.ts';

/** What EventBridge hands over of Amazon SES. */
interface MailFeedback {
  readonly time: string;
  readonly detail: {
    readonly eventType: string;
    readonly bounce?: { readonly bounceType?: string };
    readonly mail: { readonly tags?: Readonly<Record<string, readonly string[]>> };
  };
}

type FeedbackHandler = (
  event: MailFeedback,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** Calls a use-case with the id of a mail whose address should get no other. A full mailbox may have room again. */
export const mailFeedback =
  (run: (deps: Deps, mailId: string) => Promise<void>): FeedbackHandler =>
  async ({ time, detail }, context) => {
    const { eventType, bounce, mail } = detail;
    const isFinal = eventType === 'Complaint' || (eventType === 'Bounce' && bounce?.bounceType === 'Permanent');
    const mailId = mail.tags?.[MAIL_TAG]?.[0];
    if (!isFinal || mailId === undefined) return;
    await run(requestDeps(new Date(time), context?.awsRequestId ?? '', context), mailId);
  };
