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
    summary: 'Read the account and the programs of its partners',
    description: "A program that has the account's address as a partner's is listed from the next request on.",
    ok: [data(PortalMe)],
  }),
  'partner/me/patch': operation(personChange, {
    id: 'changePartnerMe',
    summary: 'Turn mails for partners on or off',
    description: 'Mails about payout details are always sent.',
    body: requests.MailChoice,
    ok: [data(MailChoice)],
    refusals: [...completeBodyRefusals(requests.MailChoice), refusals.badRequest(requests.MAIL_INVALID)],
  }),
  'partner/me/delete': operation(recentSignIn(personChange), {
    id: 'closeAccount',
    summary: 'Close the account',
    description:
      "Ends the account's roles in all programs and workspaces, and deletes payout details, sign-ins, invitations and the address. Commissions and payouts stay, with a partner that has no address. Export the data first. Repeat an interrupted request. The person must have signed in within the last 15 minutes. A mail to the address reports it.",
    body: z.object({ confirm: about('The e-mail address of the account, as a confirmation.', text) }),
    ok: [data(Closed)],
    refusals: [...bodyRefusals, refusals.confirmationWrong(), refusals.ownerRequired()],
  }),
  'partner/join/get': operation(visitor, {
    id: 'getProgramToJoin',
    summary: 'Read a program that people may join',
    description: 'For programs that anyone may join or apply to join.',
    parameters: toJoin,
    ok: [data(ProgramToJoin)],
    refusals: [refusals.programNotFound()],
  }),
  'partner/join/post': operation(personChange, {
    id: 'joinProgram',
    summary: 'Join a program, or apply to join it',
    description:
      'The person joins at once, with a first link, if the program is open or has invited them; otherwise this is an application. Repeating the request changes nothing. The limit is ten requests per minute and account. If many people come from one network or mail domain, the program must decide, even if it is open.',
    parameters: toJoin,
    body: z.object({
      message: z.nullish(requests.JoinRequest.shape.message),
      website: z.nullish(text),
      terms_version: about(
        'The version of the partner terms that the person accepts, if there are any.',
        z.nullish(version),
      ),
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
    summary: 'Read a program as its partner sees it',
    parameters: [programId, viewedAs],
    ok: [data(PortalProgram)],
  }),
  'partner/invitation/accept': operation(partnerStep, {
    id: 'acceptPartnership',
    summary: 'Accept an invitation to become a partner',
    description:
      "Also accepts having been added by the program. The partner has a first link. From then on the workspace can read the person's payout details. Repeating the request changes nothing.",
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
      'The status becomes `expired`, or `removed` if the program had added the person. The program may invite the person again. Repeating the request has the same reply.',
    parameters: [programId],
    ok: [data(Declined)],
    refusals: [refusals.partnerHasLeft(), refusals.partnerStatusRefused(ANY_TEXT, ANY_TEXT)],
  }),
  'partner/terms/post': operation(partnerStep, {
    id: 'acceptPartnerTerms',
    summary: 'Accept the newest partner terms of a program',
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
    description: "The partner's links answer 410 from then on. The partner can still read what was earned.",
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
    description: 'Oldest first, with their figures of all time.',
    parameters: [programId, ...page, viewedAs],
    ok: [listOf(PortalLink)],
    refusals: pageRefusals,
  }),
  'partner/links/post': operation(partnerChange, {
    id: 'createOwnLink',
    summary: 'Create a referral link',
    description: 'The program limits the number of active links.',
    parameters: [programId],
    body: z.object({
      short_link: about(
        'Unique across all programs. If absent, the service generates one.',
        z.nullish(NewLink.shape.short_link),
      ),
      destination_url: about("A URL on the program's own site. Default: its home page.", z.nullish(text)),
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
      refusals.partnersLinksFull(),
    ],
  }),
  'partner/link/patch': operation(partnerChange, {
    id: 'setOwnLinkStatus',
    summary: 'Enable or disable a referral link',
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
