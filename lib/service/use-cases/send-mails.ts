import type { DynamoDBRecord } from 'aws-lambda';
import { waitingIn } from '#lib/service/store/mails.ts';
import { ConditionFailed, WriteRejected } from '#lib/service/store/writes.ts';
import { deliverMail, type MailDeps } from '#lib/service/use-cases/deliver-mail.ts';
import { makeMails } from '#lib/service/use-cases/make-mails.ts';

/**
 * Sends the mails that records of the table's stream leave waiting, one after the other: as fast as SES usually takes
 * them. A mailing takes one step for each of its records, and every step leaves another record.
 * @returns how many of the records are dealt with; the rest is delivered again
 */
export async function sendMails(
  deps: MailDeps,
  { records }: { readonly records: readonly DynamoDBRecord[] },
): Promise<number> {
  if (deps.config.mail.from === undefined) return records.length;
  for (const [index, record] of records.entries()) {
    if (deps.deadline?.aborted || !(await isDealtWith(deps, record))) return index;
  }
  return records.length;
}

async function isDealtWith(deps: MailDeps, record: DynamoDBRecord): Promise<boolean> {
  const sequence_number = record.dynamodb?.SequenceNumber;
  try {
    const waiting = waitingIn(record);
    if (!waiting) return true;
    if ('mail' in waiting) return (await deliverMail(deps, waiting.mail)) !== 'throttled';
    await makeMails(deps, waiting.mailing.id);
    return true;
  } catch (error) {
    // Another run has taken the step, and goes on.
    if (error instanceof ConditionFailed) return true;
    if (!isFinal(error)) {
      deps.log.error('mails_delayed', error, { sequence_number });
      return false;
    }
    deps.log.error('mail_failed', error, { sequence_number });
    return true;
  }
}

/** No repetition helps: the table refuses the write as it is, or the item is none that we write. */
export const isFinal = (error: unknown): boolean =>
  error instanceof WriteRejected ||
  error instanceof TypeError ||
  (error instanceof Error && error.name === 'ValidationException');
