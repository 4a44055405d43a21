import type { Addressee } from '#lib/domain/mail.ts';
import type { Deps } from '#lib/service/deps.ts';
import { mailWishWrites } from '#lib/service/store/mail-addresses.ts';

/** Notes whether somebody wants mails as a partner. */
export async function setMailWish({ table, now }: Deps, person: Addressee, wantsMail: boolean): Promise<void> {
  await table.transact(mailWishWrites(person, wantsMail, now));
}
