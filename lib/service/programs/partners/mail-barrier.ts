import type { Account } from '#lib/service/ground/addresses/account.ts';
import { type Addressee, type Mail, mayBeRefused } from '#lib/service/people/mail/mail.ts';
import { hasOwnWord, type Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount, findAccountByEmail } from '#lib/service/people/accounts/accounts-items.ts';
import { isSenderBlocked } from '#lib/service/programs/invitations/blocked-senders-items.ts';
import { findMailAddress, type MailAddress } from '#lib/service/people/mail/mail-addresses-items.ts';
import { partnersToldBy, setMailState } from '#lib/service/programs/partners/partner-mail-states-items.ts';

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
 * The same as the brand reads it: of a person who has neither asked nor accepted, what the address does with invitations,
 * and nothing of an account.
 */
const stateShown = (partner: Partner, { address, account }: Known): Partner['mail'] => {
  if (hasOwnWord(partner)) return stateOf({ address, account });
  const state = stateOf({ address, account: undefined });
  return state === 'refused' && partner.invitedAt === undefined ? undefined : state;
};

/** Why a brand reads that a partner gets no mails at an address. */
export const mailStateShown = async (deps: ReadDeps, partner: Partner, to: Addressee): Promise<Partner['mail']> =>
  stateShown(partner, await knownOf(deps, to));

/**
 * Why somebody is to get no mail of a kind; undefined: nothing is in the way.
 * @param senderId the workspace that has it sent; absent: it is about the account itself, or for owners
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

/** Of one person: anybody with a workspace can make some, so their number is limited. */
const MOST_RELATIONS = 500;

/** Shows the brands of a partner whether it gets mails. It may be repeated, and comes a moment later than the fact. */
export async function showMailState({ table }: ReadDeps, to: Addressee): Promise<void> {
  table.forget();
  const known = await knownOf({ table }, to);
  const partners = await partnersToldBy(table, { ...to, accountId: known.account?.id }, MOST_RELATIONS);
  for (const partner of partners) {
    // What an address does concerns partners with this address; what an account refuses, all of its partners.
    const address = partner.email === to.email ? known.address : undefined;
    const state = stateShown(partner, { address, account: known.account });
    if (partner.mail !== state) await setMailState(table, partner, state);
  }
}
