import type { DynamoDBRecord } from 'aws-lambda';
import { waitingIn } from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed, WriteRejected } from '#lib/service/ground/table/writes.ts';
import { deliverMail, type MailDeps } from '#lib/service/outbox/mail/deliver-mail.ts';
import { makeMails } from '#lib/service/outbox/mail/make-mails.ts';

/**
 * Sends the waiting e-mails in records of the table's stream one after another, at the speed of SES. Each record of a
 * mailing creates one step of it, and each step leaves another record. When SES throttles, the scheduled function sends
 * the rest later.
 * @returns number of processed records; the rest is delivered again
 */
export async function sendMails(
  deps: MailDeps,
  { records }: { readonly records: readonly DynamoDBRecord[] },
): Promise<number> {
  if (deps.config.mail.from === undefined) return records.length;
  for (const [index, record] of records.entries()) {
    if (deps.deadline?.aborted) return index;
    const outcome = await sendMail(deps, record);
    if (outcome === 'delayed') return index;
    if (outcome === 'throttled') return records.length;
  }
  return records.length;
}

async function sendMail(deps: MailDeps, record: DynamoDBRecord): Promise<'done' | 'throttled' | 'delayed'> {
  const sequence_number = record.dynamodb?.SequenceNumber;
  try {
    const waiting = waitingIn(record);
    if (!waiting) return 'done';
    if ('mail' in waiting) return (await deliverMail(deps, waiting.mail)) === 'throttled' ? 'throttled' : 'done';
    await makeMails(deps, waiting.mailing.id);
    return 'done';
  } catch (error) {
    // A concurrent run has made this step and continues the mailing.
    if (error instanceof ConditionFailed) return 'done';
    if (!isFinal(error)) {
      deps.log.error('mails_delayed', error, { sequence_number });
      return 'delayed';
    }
    deps.log.error('mail_failed', error, { sequence_number });
    return 'done';
  }
}

/** Whether the error is permanent, so that a retry cannot help: the table rejects the write, or the item is invalid. */
export const isFinal = (error: unknown): boolean =>
  error instanceof WriteRejected ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  (error instanceof Error && error.name === 'ValidationException');
