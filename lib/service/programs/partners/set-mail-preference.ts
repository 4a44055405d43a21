import type { Addressee } from '#lib/service/people/mail/mail.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { mailPreferenceWrites } from '#lib/service/people/mail/mail-addresses-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { showMailState } from '#lib/service/programs/partners/mail-barrier.ts';

/** Stores whether a person wants mails as a partner. */
export async function setMailPreference(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  person: Addressee,
  wantsMail: boolean,
): Promise<void> {
  await table.transact(mailPreferenceWrites(person, wantsMail, now)).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
    // The account was closed after a mail with an unsubscribe link had been sent to its address. Then the preference is
    // stored for the address alone.
    return table.transact(mailPreferenceWrites({ email: person.email }, wantsMail, now));
  });
  await showMailState({ table }, person);
}
