import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findMailing,
  type Mailing,
  mailingStepWrite,
  mailWrite,
  mailWriteName,
} from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed, MOST_WRITES } from '#lib/service/ground/table/writes.ts';
import { nextInAudience } from '#lib/service/outbox/mail/mail-audience.ts';

type MakeDeps = Pick<Deps, 'table'>;

/**
 * The maximum number of e-mails that one step creates. The transaction of a step has one more write, which stores where
 * the next step starts.
 */
const MOST_MAILS_A_STEP = MOST_WRITES - 1;

/**
 * Creates the next e-mails of a mailing. Even if it is interrupted, no recipient gets two e-mails and none is skipped.
 * If two runs create the same e-mails, only one of them succeeds.
 * @returns whether there may be more to create
 */
export async function makeMails(deps: MakeDeps, id: string): Promise<boolean> {
  deps.table.forget();
  const mailing = await findMailing(deps.table, id);
  if (mailing?.status !== 'waiting') return false;
  const { mails, after } = await nextInAudience(deps, mailing, MOST_MAILS_A_STEP);
  await takeStep(deps, mailing, mails, after);
  return after !== undefined;
}

async function takeStep(
  { table }: MakeDeps,
  mailing: Mailing,
  mails: Awaited<ReturnType<typeof nextInAudience>>['mails'],
  after: string | undefined,
): Promise<void> {
  const { fact, createdAt } = mailing;
  // If an e-mail address moved to another account between two reads, it is in the list twice. It gets only one e-mail.
  const byAddress = new Map(mails.map((mail) => [mail.to.email, mail]));
  let missing = [...byAddress.values()].map((mail) => ({ fact, ...mail, now: new Date(createdAt) }));
  for (;;) {
    try {
      return await table.transact([
        ...missing.map((mail) => mailWrite(mail)),
        mailingStepWrite(mailing, after, after === undefined),
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.existing.has('mailing')) throw error;
      // An e-mail to this address was already created: the address moved to another person between two steps.
      missing = missing.filter((mail) => !error.existing.has(mailWriteName(mail)));
    }
  }
}
