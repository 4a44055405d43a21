import type { Addressee, MailData } from '#lib/domain/mail.ts';
import { hasAddress, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { mailWrites } from '#lib/service/store/mails.ts';
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

export const applicationMail = (deps: Told, program: Program, partner: Partner): Write[] =>
  mailWrites({
    kind: 'application_received',
    fact: factOf(partner, deps),
    to: { ownersOf: program.workspaceId },
    data: { ...ofProgram(program), partnerId: partner.id, partnerName: partner.name },
    now: deps.now,
  });

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
