import { dayOf } from '#lib/service/ground/values/day.ts';
import type { Addressee, MailData } from '#lib/service/people/mail/mail.ts';
import type { AddressedPartner, Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { digestRowWrite, dueDigest } from '#lib/service/people/mail/digests-items.ts';
import { dueMailWrite, isScheduled } from '#lib/service/people/mail/due-mails-items.ts';
import { isMailQueued, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { accountAddressee } from '#lib/service/programs/partners/account-addressee.ts';
import { countNotice } from '#lib/service/people/invitations/count-invitation.ts';

// These functions return writes that queue mails to partners and owners. Put the writes into the transaction of the
// event that the mail reports. Partners of a sandbox program get no mails.

type MailDeps = Pick<Deps, 'now' | 'random'>;

/**
 * Returns a random id for the event. The same event may happen to a person again, even in the same moment, and must
 * then cause another mail.
 */
const factOf = ({ programId, id }: Partner, { random }: MailDeps): string => `${programId} ${id} ${random.requestId()}`;

const ofProgram = ({ id, name }: Program) => ({ programId: id, programName: name });

/** The recipient of an invitation: the account, if only this account may accept it, otherwise the address. */
export const invitedAddressee = async (deps: Pick<Deps, 'table'>, partner: AddressedPartner): Promise<Addressee> => {
  const { email, name, accountId } = partner;
  return (await accountAddressee(deps, partner)) ?? { email, name, accountId };
};

export const invitationMail = (deps: MailDeps, program: Program, partner: Partner, to: Addressee): Write[] =>
  program.isSandbox
    ? []
    : mailWrites({
        kind: 'partner_invited',
        fact: factOf(partner, deps),
        to,
        data: { ...ofProgram(program), partnerId: partner.id },
        now: deps.now,
      });

/** Writes that add an application to the owners' digest of the day. */
export async function applicationWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { workspaceId }: Program,
  { programId, id, name, application }: Partner,
): Promise<Write[]> {
  const day = dayOf(now);
  const due = dueDigest(workspaceId, day);
  const row = { programId, of: 'application', name, isQueued: application?.isQueued === true } as const;
  return [
    digestRowWrite({ workspaceId, day, id: `${application?.appliedAt} ${id}` }, row),
    ...((await isScheduled(table, due)) ? [] : [dueMailWrite(due)]),
  ];
}

/** How many accounts get a mail about one change of an address at most. Most partners have one account. */
const MOST_NOTIFIED = 3;

/**
 * Notifies the person that the brand changed the partner's address. The mail goes to the accounts that applied or
 * accepted as this partner. If there is no such account, the mail goes to the former address, within the limits for
 * mails to strangers. There is at most one mail a day per workspace, so that repeated changes do not flood a mailbox.
 * @param before the partner with the former address
 * @param relations the partner in each of its programs
 * @returns three writes at most
 */
export async function addressMail(
  deps: Pick<Deps, 'table' | 'now' | 'config'>,
  program: Program,
  before: AddressedPartner,
  relations: readonly Partner[],
  heldUntil: string,
): Promise<Write[]> {
  if (program.isSandbox) return [];
  const { table, now } = deps;
  const kind = 'partner_address_changed';
  const fact = `${program.workspaceId} ${dayOf(now)}`;
  const mailTo = async (to: Addressee): Promise<Write[]> =>
    (await isMailQueued(table, { kind, fact }, to.email))
      ? []
      : mailWrites({ kind, fact, to, data: { ...ofProgram(program), heldUntil }, now });

  const found = await Promise.all(relations.map((relation) => accountAddressee(deps, relation)));
  const accounts = new Map(found.flatMap((account) => (account ? [[account.email, account]] : [])));
  if (accounts.size > 0) return (await Promise.all([...accounts.values()].slice(0, MOST_NOTIFIED).map(mailTo))).flat();

  const mail = await mailTo({ email: before.email, name: before.name });
  const counted = mail.length > 0 ? await countNotice(deps, program, before.email) : undefined;
  return counted ? [...mail, ...counted] : [];
}

type Decision = { readonly decision: 'accepted' } | { readonly decision: 'rejected'; readonly reason: string };

export async function decisionMail(
  deps: MailDeps & Pick<Deps, 'table'>,
  program: Program,
  partner: Partner,
  decision: Decision,
): Promise<Write[]> {
  const to = program.isSandbox ? undefined : await accountAddressee(deps, partner);
  if (!to) return [];
  const data = { ...ofProgram(program), ...decision } satisfies MailData['application_decided'];
  return mailWrites({ kind: 'application_decided', fact: factOf(partner, deps), to, data, now: deps.now });
}
