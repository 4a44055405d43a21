import { dayOf } from '#lib/domain/day.ts';
import type { Addressee, MailData } from '#lib/domain/mail.ts';
import { type AddressedPartner, hasAddress, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { digestRowWrite, dueDigest } from '#lib/service/store/digests.ts';
import { dueMailWrite, isLeft } from '#lib/service/store/due-mails.ts';
import { isTold, mailWrites } from '#lib/service/store/mails.ts';
import type { Write } from '#lib/service/store/writes.ts';

// What partners and owners are told of by mail; these writes belong into the transaction of what they tell.

type Told = Pick<Deps, 'now' | 'random'>;

/** Nobody can write to who closed their account. */
const addressees = (partner: Partner): Addressee[] =>
  hasAddress(partner) ? [{ email: partner.email, name: partner.name, accountId: partner.accountId }] : [];

/** The same may happen to the same person again, even at the same moment. */
const factOf = ({ programId, id }: Partner, { random }: Told): string => `${programId} ${id} ${random.requestId()}`;

const ofProgram = ({ id, name }: Program) => ({ programId: id, programName: name });

export const invitationMail = (deps: Told, program: Program, partner: Partner): Write[] =>
  addressees(partner).flatMap((to) =>
    mailWrites({
      kind: 'partner_invited',
      fact: factOf(partner, deps),
      to,
      data: ofProgram(program),
      now: deps.now,
    }),
  );

/** Owners read of it in the digest of the day. */
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
    ...((await isLeft(table, due)) ? [] : [dueMailWrite(due)]),
  ];
}

/**
 * Tells the former address of a partner that it is not the partner's any more: once a day and workspace, so that changes to
 * and fro, of one partner or of many, fill nobody's mailbox.
 * @param before with the former address
 */
export async function addressMail(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  program: Program,
  before: AddressedPartner,
  heldUntil: string,
): Promise<Write[]> {
  const kind = 'partner_address_changed';
  const fact = `${program.workspaceId} ${dayOf(now)}`;
  if (await isTold(table, { kind, fact }, before.email)) return [];
  const to = { email: before.email, name: before.name };
  return mailWrites({ kind, fact, to, data: { ...ofProgram(program), heldUntil }, now });
}

type Decision = { readonly decision: 'accepted' } | { readonly decision: 'rejected'; readonly reason: string };

export const decisionMail = (deps: Told, program: Program, partner: Partner, decision: Decision): Write[] =>
  addressees(partner).flatMap((to) =>
    mailWrites({
      kind: 'application_decided',
      fact: factOf(partner, deps),
      to,
      data: { ...ofProgram(program), ...decision } satisfies MailData['application_decided'],
      now: deps.now,
    }),
  );
