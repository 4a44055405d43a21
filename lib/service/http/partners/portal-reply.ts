import { dayOf } from '#lib/service/ground/values/day.ts';
import { mayApplyFrom, type Partner } from '#lib/service/programs/partners/partner.ts';
import { brandInListReply, brandShownReply } from '#lib/service/http/programs/brand-reply.ts';
import { accountReply } from '#lib/service/http/people/people-reply.ts';
import { termsReply, termsVersionReply } from '#lib/service/http/programs/terms-reply.ts';
import type { JoinedProgram, OwnPrograms } from '#lib/service/reports/exports/list-own-programs.ts';
import { ownTerms } from '#lib/service/programs/program/program.ts';
import type { ProgramOfPartner } from '#lib/service/programs/joining/program-of-partner.ts';
import { commissionText } from '#lib/service/http/programs/program-reply.ts';
import type { ProgramToJoin } from '#lib/service/programs/joining/program-to-join.ts';
import type * as wire from '#lib/wire/partners/portal-program.ts';

export const portalMeReply = ({ account, programs }: OwnPrograms): wire.PortalMe => ({
  account: accountReply(account),
  mail: !account.refusesMail,
  programs: programs.map(joinedProgramReply),
});

export const joinedProgramReply = ({
  program,
  partner,
  status,
  termsToAccept,
  brand,
}: JoinedProgram): wire.JoinedProgram => ({
  program_id: program.id,
  name: program.name,
  domain: program.domain,
  sandbox: program.isSandbox ?? false,
  status,
  joined_at: partner.joinedAt ?? null,
  left_at: partner.leftAt ?? null,
  invited_at: partner.invitedAt ?? null,
  rejection_reason: partner.rejectionReason ?? null,
  may_apply_on: mayApplyOn(partner),
  terms_to_accept: termsToAccept ?? null,
  brand: brandInListReply(brand),
});

function mayApplyOn(partner: Partner): string | null {
  const from = partner.status === 'rejected' ? mayApplyFrom(partner) : undefined;
  return from ? dayOf(from) : null;
}

export const portalProgramReply = ({ program, partner, status, ...found }: ProgramOfPartner): wire.PortalProgram => ({
  id: program.id,
  name: program.name,
  domain: program.domain,
  sandbox: program.isSandbox ?? false,
  status,
  terms_in_force: { ...termsReply(found.inForce), ...termsVersionReply(found.inForce.version, partner) },
  window_days: program.attributionWindowDays,
  minimum_payout_cents: program.minimumPayoutCents ?? 0,
  next_payout_on: found.nextPayoutOn ?? null,
  currency: program.currency,
  links_left: found.linksLeft,
  terms: found.terms ? { ...found.terms, accepted_at: found.acceptedAt ?? null } : null,
  brand: brandShownReply(found.brand),
  assets: [],
});

export const programToJoinReply = ({ program, terms, brand }: ProgramToJoin): wire.ProgramToJoin => ({
  program_id: program.id,
  name: program.name,
  domain: program.domain,
  sandbox: program.isSandbox ?? false,
  commission: commissionText(program),
  terms_offered: termsReply(ownTerms(program)),
  currency: program.currency,
  window_days: program.attributionWindowDays,
  hold_period_days: program.holdPeriodDays,
  join: program.join,
  terms: terms ?? null,
  brand: brandShownReply(brand),
});

export const joinedReply = ({ status }: Partner): wire.Joined => ({
  status: status === 'active' ? 'active' : 'applied',
});
