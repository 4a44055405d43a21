import * as z from 'zod/mini';
import { MOST_LINKS, MOST_PARTNERS } from '#lib/service/programs/program/program.ts';
import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { about, text } from '#lib/wire/words/fields.ts';
import { pageRefusals, recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import {
  partner,
  partnerChange,
  partnerStep,
  person,
  personChange,
  viewedAs,
  visitor,
} from '#lib/wire/partners/portal-operations.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { inPath, page, programId } from '#lib/wire/words/parameters.ts';
import { AcceptedTerms, PortalLink } from '#lib/wire/partners/partner.ts';
import { Declined } from '#lib/wire/people/people.ts';
import {
  Closed,
  Joined,
  Left,
  MailChoice,
  PortalMe,
  PortalProgram,
  ProgramToJoin,
} from '#lib/wire/partners/portal-program.ts';
import { LinkStatusChange, NewLink, SHORT_LINK_INVALID } from '#lib/wire/partners/partner-request.ts';
import * as requests from '#lib/wire/partners/portal-request.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const version = z.int().check(z.positive());
const toJoin = [inPath('program_id', 'The program.')];
const termsRefusals = [refusals.termsNotAccepted(), refusals.termsOutdated()];
const roomRefusals = [refusals.programPaused(), refusals.partnersFull(MOST_PARTNERS)];

export const portalProgramRoutes = {
  'partner/me/get': operation(person, {
    id: 'getPartnerMe',
    summary: 'Who is signed in, and of which programs they are a partner',
    description: 'A program that lists the address of the account is in the list from the next request on.',
    ok: [data(PortalMe)],
  }),
  'partner/me/patch': operation(personChange, {
    id: 'changePartnerMe',
    summary: 'Choose whether to get mail as a partner',
    description: 'What concerns payout details is always sent.',
    body: requests.MailChoice,
    ok: [data(MailChoice)],
    refusals: [...completeBodyRefusals(requests.MailChoice), refusals.badRequest(requests.MAIL_INVALID)],
  }),
  'partner/me/delete': operation(recentSignIn(personChange), {
    id: 'closeAccount',
    summary: 'Close the account',
    description:
      'It ends what the person is in any program or workspace, and deletes payout details, sign-ins, invitations and the ' +
      'address. Commissions and payouts stay, of a partner without address. Export first. Repeating an interrupted one ' +
      'completes it. It needs a sign-in of the last 15 minutes, and is told to the address.',
    body: z.object({ confirm: about('The address of the account.', text) }),
    ok: [data(Closed)],
    refusals: [...bodyRefusals, refusals.confirmationWrong(), refusals.ownerRequired()],
  }),
  'partner/join/get': operation(visitor, {
    id: 'getProgramToJoin',
    summary: 'A program that people may join',
    description: 'For programs that take applications, or whoever joins.',
    parameters: toJoin,
    ok: [data(ProgramToJoin)],
    refusals: [refusals.programNotFound()],
  }),
  'partner/join/post': operation(personChange, {
    id: 'joinProgram',
    summary: 'Ask to become a partner, or become one',
    description:
      'At once in an open program, and for whom the program has invited. Repeating it changes nothing. ' +
      'At most 10 a minute of an account. Where many come from one network or one domain of mail, the person waits for the ' +
      'decision of the program, in an open one too.',
    parameters: toJoin,
    body: z.object({
      message: z.nullish(requests.JoinRequest.shape.message),
      website: z.nullish(text),
      terms_version: about('The partner terms that the person accepts, if there are any.', z.nullish(version)),
    }),
    ok: [data(Joined)],
    refusals: [
      refusals.programNotFound(),
      ...bodyRefusals,
      refusals.badRequest(refusals.JOIN_MESSAGE_INVALID),
      refusals.badRequest(refusals.WEBSITE_INVALID),
      refusals.noApplications(),
      refusals.mayApplyLater(ANY_TEXT),
      refusals.partnerHasLeft(),
      refusals.partnerEmailTaken(),
      ...termsRefusals,
      ...roomRefusals,
    ],
  }),
  'partner/program/get': operation(partner, {
    id: 'getPartnerProgram',
    summary: 'A program as its partner sees it',
    parameters: [programId, viewedAs],
    ok: [data(PortalProgram)],
  }),
  'partner/invitation/accept': operation(partnerStep, {
    id: 'acceptPartnership',
    summary: 'Accept an invitation to become a partner',
    description:
      'Also to have been added by the program. From then on the workspace of the program sees where to pay the person. ' +
      'Repeating it changes nothing.',
    parameters: [programId],
    body: z.object({ terms_version: z.nullish(version) }),
    ok: [data(PortalProgram)],
    refusals: [
      ...bodyRefusals,
      refusals.invitationExpired(),
      refusals.partnerHasLeft(),
      refusals.partnerStatusRefused(ANY_TEXT, ANY_TEXT),
      ...termsRefusals,
      ...roomRefusals,
    ],
  }),
  'partner/invitation/decline': operation(partnerStep, {
    id: 'declinePartnership',
    summary: 'Decline an invitation to become a partner',
    description:
      'It reads `expired` from then on, or `removed` where the program had added the person; the program may invite again. ' +
      'Repeating it answers the same.',
    parameters: [programId],
    ok: [data(Declined)],
    refusals: [refusals.partnerHasLeft(), refusals.partnerStatusRefused(ANY_TEXT, ANY_TEXT)],
  }),
  'partner/terms/post': operation(partnerStep, {
    id: 'acceptPartnerTerms',
    summary: 'Accept the newest terms of a program',
    parameters: [programId],
    body: z.object({ version }),
    ok: [data(AcceptedTerms)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['version']),
      refusals.termsOutdated(),
      refusals.partnerHasLeft(),
      refusals.notYetPartner(),
    ],
  }),
  'partner/program/leave': operation(partnerStep, {
    id: 'leaveProgram',
    summary: 'Leave a program',
    description: 'The links of the partner answer 410 from then on; what was earned stays readable.',
    parameters: [programId],
    ok: [data(Left)],
    refusals: [
      refusals.partnerHasLeft(),
      refusals.removedByBrand(),
      refusals.notYetPartner(),
      refusals.partnerStatusRefused(ANY_TEXT, ANY_TEXT),
    ],
  }),
  'partner/links/get': operation(partner, {
    id: 'listOwnLinks',
    summary: 'List the links of the partner',
    description: 'Oldest first, with their figures since ever.',
    parameters: [programId, ...page, viewedAs],
    ok: [listOf(PortalLink)],
    refusals: pageRefusals,
  }),
  'partner/links/post': operation(partnerChange, {
    id: 'createOwnLink',
    summary: 'Make a link',
    description: 'As many active ones as the program allows.',
    parameters: [programId],
    body: z.object({
      short_link: about('Unique over all programs; made up when absent.', z.nullish(NewLink.shape.short_link)),
      destination_url: about("On the program's own site; its front page when absent.", z.nullish(text)),
    }),
    ok: [data(PortalLink)],
    refusals: [
      ...bodyRefusals,
      refusals.badRequest(SHORT_LINK_INVALID),
      refusals.destinationInvalid(),
      refusals.destinationElsewhere(),
      refusals.ownLinksFull(ANY_NUMBER),
      refusals.shortLinkTaken(),
      refusals.programPaused(),
      refusals.linksFull(MOST_LINKS),
    ],
  }),
  'partner/link/patch': operation(partnerChange, {
    id: 'setOwnLinkStatus',
    summary: 'Switch a link of the partner on or off',
    parameters: [programId, inPath('short_link', 'The link.', text)],
    body: z.extend(LinkStatusChange, { seen }),
    ok: [data(PortalLink)],
    refusals: [
      refusals.shortLinkNotFound(),
      ...completeBodyRefusals(LinkStatusChange),
      ...seenRefusals,
      refusals.notOneOf('status', ANY_TEXT, linkStatuses),
      refusals.linkSwitchedOff(),
      refusals.ownLinksFull(ANY_NUMBER),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
