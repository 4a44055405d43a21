import type { Mail } from '#lib/service/people/mail/mail.ts';
import { findMail, unsentList } from '#lib/service/people/mail/mails-items.ts';
import type { World } from '#test/support/programs/world.ts';

/** Reads the mails that are not sent yet, oldest first. */
export async function waitingMails(world: World): Promise<Mail[]> {
  const { table } = world.deps();
  const { entries } = await table.list(unsentList, { most: 1_000 });
  const mails = await Promise.all(entries.map(({ pk }) => findMail(table, pk.slice('MAIL#'.length))));
  return mails.filter((mail) => mail !== undefined);
}
