import type { Account } from '#lib/service/ground/addresses/account.ts';
import { type Addressee, type Mail, mayBeRefused } from '#lib/service/people/mail/mail.ts';
import { hasConsented, type Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount, findAccountByEmail } from '#lib/service/people/accounts/accounts-items.ts';
import { isSenderBlocked } from '#lib/service/programs/invitations/blocked-senders-items.ts';
import { findMailAddress, type MailAddress } from '#lib/service/people/mail/mail-addresses-items.ts';
import { partnersOfAddressee, setMailState } from '#lib/service/programs/partners/partner-mail-states-items.ts';

type ReadDeps = Pick<Deps, 'table'>;

interface Known {
  readonly address: MailAddress | undefined;
  readonly account: Account | undefined;
}

async function knownOf({ table }: ReadDeps, { email, accountId }: Addressee): Promise<Known> {
  const [address, found] = await Promise.all([
    findMailAddress(table, email),
    accountId === undefined ? findAccountByEmail(table, email) : { accountId },
  ]);
  return { address, account: found && (await findAccount(table, found.accountId)) };
}

function stateOf({ address, account }: Known): Partner['mail'] {
  if (address?.suppressedAt !== undefined) return 'suppressed';
  return address?.refusedAt !== undefined || account?.refusesMail === true ? 'refused' : undefined;
}

/**
 * The mail state as the brand may see it. For a person who has neither applied nor accepted, it shows whether the
 * address accepts invitations, and nothing about an account.
 */
const stateShown = (partner: Partner, { address, account }: Known): Partner['mail'] => {
  if (hasConsented(partner)) return stateOf({ address, account });
  const state = stateOf({ address, account: undefined });
  return state === 'refused' && partner.invitedAt === undefined ? undefined : state;
};

/** Why a partner gets no mails at its address, as far as the brand may see it. */
export const mailStateShown = async (deps: ReadDeps, partner: Partner, to: Addressee): Promise<Partner['mail']> =>
  stateShown(partner, await knownOf(deps, to));

/**
 * Why a mail of a kind must not be sent to an address; undefined if it may be sent.
 * @param senderId the workspace that sends the mail; undefined if the mail is about the account itself, or is to owners
 */
export async function mailBarrier(
  deps: ReadDeps,
  { kind, to }: Pick<Mail, 'kind' | 'to'>,
  senderId: number | undefined,
): Promise<Partner['mail']> {
  const [known, isBlocked] = await Promise.all([
    knownOf(deps, to),
    senderId !== undefined && isSenderBlocked(deps.table, to.email, senderId),
  ]);
  const state = stateOf(known);
  if (isBlocked) return state ?? 'refused';
  return state === 'refused' && !mayBeRefused(kind) ? undefined : state;
}

/** How many partnerships of one person are read at most: anyone with a workspace can add a person to programs. */
const MOST_RELATIONS = 500;

/**
 * Stores on the partners of a person whether mails to the person arrive, for their brands to see. It runs shortly after
 * mails were refused or bounced, and may be repeated.
 */
export async function showMailState({ table }: ReadDeps, to: Addressee): Promise<void> {
  table.forget();
  const known = await knownOf({ table }, to);
  const partners = await partnersOfAddressee(table, { ...to, accountId: known.account?.id }, MOST_RELATIONS);
  for (const partner of partners) {
    // If mails to an address bounce, this affects only the partners with this address. If an account refuses mails,
    // this affects all of its partners.
    const address = partner.email === to.email ? known.address : undefined;
    const state = stateShown(partner, { address, account: known.account });
    if (partner.mail !== state) await setMailState(table, partner, state);
  }
}
