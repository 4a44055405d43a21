import * as z from 'zod/mini';
import { MOST_PERSONAL_TERMS } from '#lib/service/programs/terms/agreements.ts';
import { membershipStatuses, MOST_CHANGED_PROGRAMS, partnerStatuses } from '#lib/service/programs/partners/partner.ts';
import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import { choices } from '#lib/service/ground/values/paging.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { MOST_LINKS, MOST_PARTNERS } from '#lib/service/programs/program/program.ts';
import { MOST_PROGRAMS } from '#lib/service/people/workspaces/workspace.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { about, id, text } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { chosen, figures, figuresPeriod, inPath, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import {
  NewProgram,
  OWNER_FIELDS_TEXT,
  SeenProgramChange,
  programFieldRefusals,
  SentTerms,
  termsFieldRefusals,
} from '#lib/wire/programs/settings/program-fields-operations.ts';
import { fieldTexts, REQUIRED_FIELDS } from '#lib/wire/words/field-texts-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
import {
  Invite,
  INVITE_INVALID,
  LinkStatusChange,
  NewLink,
  NewPartner,
  PartnerChange,
  SHORT_LINK_INVALID,
  Wishes,
} from '#lib/wire/partners/partner-request.ts';
import { Invitations, MOST_INVITATIONS } from '#lib/wire/partners/invitations-request.ts';
import { Invited } from '#lib/wire/partners/invited.ts';
import { CODE_INVALID } from '#lib/wire/programs/codes/code-request.ts';
import { Partner, RankedLink, RankedPartner, ReferralLink } from '#lib/wire/partners/partner.ts';
import { GeneratedKey, Program } from '#lib/wire/programs/program.ts';
import {
  figuresPeriodText,
  figuresRefusals,
  figuresText,
  ofProgram,
  ownersOnly,
  pageRefusals,
  periodRefusals,
  recentSignIn,
  workspace,
} from '#lib/wire/document/dashboard-operations.ts';
import { OwnersWarnings } from '#lib/wire/programs/rotation.ts';
import { data, listOf, rankedListOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const family = ofProgram('programs');
const listed = { ...workspace, tag: family.tag };
const ofPartner = [programId, inPath('partner_id', 'The partner.')];
const statusRefused = refusals.partnerStatusRefused(ANY_TEXT, ANY_TEXT);
const invitationLimits =
  'A person receives at most one invitation of a program in 7 days, and at most three in total; a workspace can invite a limited number of new people per day. A refused invitation is neither recorded nor sent.';
const madeOnAcceptance = 'An invited person gets it when accepting, unless it was given away meanwhile.';
const newPartnerRefusals = [
  refusals.groupNotFound(),
  refusals.partnerAlreadyInProgram(),
  refusals.programPaused(),
  refusals.partnersFull(MOST_PARTNERS),
  refusals.shortLinkTaken(),
  refusals.codeTaken(),
  refusals.invitationLimited(ANY_NUMBER, ANY_NUMBER),
];
const partnerRefusals = [fieldTexts.name, fieldTexts.email].map(refusals.badRequest);

export const programRoutes = {
  'dashboard/programs/get': operation(listed, {
    id: 'listPrograms',
    summary: 'List the programs',
    parameters: page,
    ok: [listOf(Program)],
    refusals: pageRefusals,
  }),
  'dashboard/programs/post': operation(listed, {
    id: 'createProgram',
    summary: 'Create a program',
    body: NewProgram,
    ok: [data(Program)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(REQUIRED_FIELDS),
      ...programFieldRefusals,
      refusals.programsFull(MOST_PROGRAMS),
    ],
  }),
  'dashboard/program/get': operation(family, {
    id: 'getProgram',
    summary: 'Read a program',
    description: "`warnings` is present if the program's key must be replaced or is retired.",
    parameters: [programId],
    ok: [z.extend(data(Program), { warnings: z.optional(OwnersWarnings) })],
  }),
  'dashboard/program/patch': operation(family, {
    id: 'changeProgram',
    summary: 'Change a program',
    description: `Only the fields sent are changed. Recorded sales keep the terms of their time. ${OWNER_FIELDS_TEXT}`,
    parameters: [programId],
    body: SeenProgramChange,
    ok: [data(Program)],
    refusals: [refusals.ownerOnly(), ...bodyRefusals, ...programFieldRefusals, ...seenRefusals],
  }),
  'dashboard/api-key/post': operation(recentSignIn(ownersOnly(family)), {
    id: 'generateProgramKey',
    summary: 'Generate the program key',
    description:
      'For owners who signed in within the last 15 minutes. Only this reply contains the program key. The old key stops working at once.',
    parameters: [programId],
    body: z.optional(z.object({})),
    ok: [data(GeneratedKey)],
    refusals: bodyRefusals,
  }),
  'dashboard/partners/get': operation(family, {
    id: 'listPartners',
    summary: 'List the partners',
    description: `${figuresText} Queued applications come last.`,
    parameters: [
      programId,
      ...page,
      chosen('status', 'Only partners with this status.', partnerStatuses),
      chosen('queued', '`true`: only queued applications; `false`: only the others.', choices),
      ...figures,
    ],
    ok: [rankedListOf(RankedPartner)],
    refusals: [
      ...pageRefusals,
      refusals.notOneOf('status', ANY_TEXT, partnerStatuses),
      refusals.notOneOf('queued', ANY_TEXT, choices),
      ...figuresRefusals,
    ],
  }),
  'dashboard/partners/post': operation(family, {
    id: 'addPartner',
    summary: 'Add a partner',
    description: `The partner has a first link, named after the person; a person who is invited gets it by accepting. A person with the same address in another program of the workspace is the same partner. ${invitationLimits}`,
    parameters: [programId],
    body: z.object({
      name: NewPartner.shape.name,
      email: text,
      invite: about(
        'If true, the person is invited and becomes a partner by accepting. Default: false.',
        z.nullish(Invite.shape.invite),
      ),
      group_id: about('A group of partners. Only owners may send it.', z.nullish(id)),
      short_link: about(`The name of the first link. ${madeOnAcceptance}`, z.nullish(Wishes.shape.short_link)),
      code: about(`A coupon code. ${madeOnAcceptance}`, z.nullish(Wishes.shape.code)),
    }),
    ok: [data(Partner)],
    refusals: [
      refusals.ownerOnly(),
      ...completeBodyRefusals(NewPartner),
      ...partnerRefusals,
      ...[INVITE_INVALID, SHORT_LINK_INVALID, CODE_INVALID].map(refusals.badRequest),
      ...newPartnerRefusals,
    ],
  }),
  'dashboard/invitations/post': operation(family, {
    id: 'invitePeople',
    summary: 'Invite several people',
    description: `Each invitation is decided alone: \`error\` is the text with which "Add a partner" would refuse it. The second invitation of an address is refused. With \`preview\`, nothing is written or sent. ${invitationLimits}`,
    parameters: [programId],
    body: z.object({
      invitations: z
        .array(
          z.object({
            name: NewPartner.shape.name,
            email: text,
            group: about('Name or id of a group of partners. Only owners may send it.', z.nullish(text)),
            short_link: about(`The name of the first link. ${madeOnAcceptance}`, z.nullish(Wishes.shape.short_link)),
            code: about(`A coupon code. ${madeOnAcceptance}`, z.nullish(Wishes.shape.code)),
          }),
        )
        .check(z.minLength(1), z.maxLength(MOST_INVITATIONS)),
      preview: about('Only decide. Default: false.', z.nullish(Invitations.shape.preview)),
    }),
    ok: [data(z.array(Invited))],
    refusals: [...bodyRefusals, ...[refusals.INVITATIONS_INVALID, refusals.PREVIEW_INVALID].map(refusals.badRequest)],
  }),
  'dashboard/partner/get': operation(family, {
    id: 'getPartner',
    summary: 'Read a partner',
    description: figuresPeriodText,
    parameters: [programId, inPath('partner_id', 'The partner.'), ...figuresPeriod],
    ok: [data(Partner)],
    refusals: [refusals.partnerNotFound(), ...periodRefusals],
  }),
  'dashboard/partner/patch': operation(family, {
    id: 'changePartner',
    summary: 'Change, remove or restore a partner',
    description:
      "Send at least one field; only the fields sent are changed. `status` applies to this program; name and address apply to all programs of the workspace. After a change of the address, another partner may have the former one. A mail reports the change to the account of a partner who applied or accepted, otherwise to the former address if an invitation would be allowed (it counts as one). The change holds the partner's payouts in all these programs for 72 hours. Only owners may send `email`, `group_id` and `terms`. A partner who left returns only by an invitation. A partner who closed the account has no address and cannot be invited.",
    parameters: [programId, inPath('partner_id', 'The partner.')],
    body: z.object({
      status: z.nullish(PartnerChange.shape.status),
      name: z.nullish(PartnerChange.shape.name),
      email: z.nullish(text),
      group_id: about('Null removes the partner from its group.', z.nullish(id)),
      terms: about('Personal terms. Null removes them.', z.nullish(SentTerms)),
      seen,
    }),
    ok: [data(Partner)],
    refusals: [
      refusals.partnerNotFound(),
      refusals.ownerOnly(),
      ...termsFieldRefusals,
      refusals.groupNotFound(),
      refusals.personalTermsFull(MOST_PERSONAL_TERMS),
      ...bodyRefusals,
      refusals.missingFields(['status']),
      refusals.notOneOf('status', ANY_TEXT, membershipStatuses),
      ...partnerRefusals,
      ...seenRefusals,
      statusRefused,
      refusals.partnerEmailTaken(),
      refusals.partnerRemoved(),
      refusals.partnerInTooManyPrograms(MOST_CHANGED_PROGRAMS),
    ],
  }),
  'dashboard/partner/accept': operation(family, {
    id: 'acceptApplication',
    summary: 'Accept an application',
    description: 'The person becomes a partner at once.',
    parameters: ofPartner,
    ok: [data(Partner)],
    refusals: [
      refusals.partnerNotFound(),
      statusRefused,
      refusals.programPaused(),
      refusals.partnersFull(MOST_PARTNERS),
    ],
  }),
  'dashboard/partner/reject': operation(family, {
    id: 'rejectApplication',
    summary: 'Reject an application',
    description: 'The person can read the reason, and may apply again after 30 days.',
    parameters: ofPartner,
    body: Reason,
    ok: [data(Partner)],
    refusals: [refusals.partnerNotFound(), ...bodyRefusals, refusals.reasonMissing(), statusRefused],
  }),
  'dashboard/partner/invite': operation(family, {
    id: 'invitePartner',
    summary: 'Invite a person again',
    description: `The invitation can be accepted for 30 days from now. ${invitationLimits}`,
    parameters: ofPartner,
    ok: [data(Partner)],
    refusals: [refusals.partnerNotFound(), statusRefused, refusals.invitationLimited(ANY_NUMBER, ANY_NUMBER)],
  }),
  'dashboard/partner/withdraw': operation(family, {
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'The status becomes `expired`. The person may be invited again.',
    parameters: ofPartner,
    ok: [data(Partner)],
    refusals: [refusals.partnerNotFound(), statusRefused],
  }),
  'dashboard/links/get': operation(family, {
    id: 'listLinks',
    summary: 'List the referral links',
    description: figuresText,
    parameters: [
      programId,
      ...page,
      inQuery('partner_id', 'Only the links of this partner.', id),
      chosen('status', 'Only links with this status.', linkStatuses),
      ...figures,
    ],
    ok: [rankedListOf(RankedLink)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, linkStatuses), ...figuresRefusals],
  }),
  'dashboard/links/post': operation(family, {
    id: 'createLink',
    summary: 'Create a referral link',
    parameters: [programId],
    body: z.object({
      partner_id: id,
      short_link: about(
        'Unique across all programs. If absent, the service generates one.',
        z.nullish(NewLink.shape.short_link),
      ),
      destination_url: about("Default: the program's domain.", z.nullish(text)),
    }),
    ok: [data(ReferralLink)],
    refusals: [
      refusals.partnerNotFound(),
      ...bodyRefusals,
      refusals.missingFields(['partner_id']),
      refusals.badRequest(SHORT_LINK_INVALID),
      refusals.destinationInvalid(),
      refusals.partnerRemoved(),
      refusals.partnerNotJoined(),
      refusals.shortLinkTaken(),
      refusals.programPaused(),
      refusals.linksFull(MOST_LINKS),
      refusals.partnersLinksFull(),
    ],
  }),
  'dashboard/link/get': operation(family, {
    id: 'getLink',
    summary: 'Read a referral link',
    description: figuresPeriodText,
    parameters: [programId, inPath('short_link', 'The link.', text), ...figuresPeriod],
    ok: [data(ReferralLink)],
    refusals: [refusals.shortLinkNotFound(), ...periodRefusals],
  }),
  'dashboard/link/patch': operation(family, {
    id: 'setLinkStatus',
    summary: 'Enable or disable a referral link',
    parameters: [programId, inPath('short_link', 'The link.', text)],
    body: z.extend(LinkStatusChange, { seen }),
    ok: [data(ReferralLink)],
    refusals: [
      refusals.shortLinkNotFound(),
      ...completeBodyRefusals(LinkStatusChange),
      ...seenRefusals,
      refusals.notOneOf('status', ANY_TEXT, linkStatuses),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
