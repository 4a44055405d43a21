import * as z from 'zod/mini';
import { partnerStatuses } from '#lib/domain/partner.ts';
import { linkStatuses } from '#lib/domain/referral-link.ts';
import * as refusals from '#lib/domain/refusals.ts';
import { MOST_LINKS, MOST_PARTNERS } from '#lib/domain/program.ts';
import { MOST_PROGRAMS } from '#lib/domain/workspace.ts';
import { ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/openapi/error-bodies.ts';
import { about, id, text } from '#lib/wire/fields.ts';
import { type Operation, operation } from '#lib/wire/openapi/operation.ts';
import { chosen, figures, inPath, inQuery, page, programId } from '#lib/wire/parameters.ts';
import { NewProgram, ProgramChange, programFieldRefusals } from '#lib/wire/operations/program-fields.ts';
import { fieldTexts, REQUIRED_FIELDS } from '#lib/wire/requests/field-texts.ts';
import {
  LinkStatusChange,
  NewLink,
  NewPartner,
  PartnerStatusChange,
  SHORT_LINK_INVALID,
} from '#lib/wire/requests/partner.ts';
import { Partner, ReferralLink } from '#lib/wire/partner.ts';
import { GeneratedKey, Program } from '#lib/wire/program.ts';
import {
  figuresRefusals,
  figuresText,
  ofProgram,
  ownersOnly,
  pageRefusals,
  workspace,
} from '#lib/wire/operations/dashboard.ts';
import { OwnersWarnings } from '#lib/wire/rotation.ts';
import { data, listOf, rankedListOf } from '#lib/wire/wrapped.ts';

const family = ofProgram('programs');
const listed = { ...workspace, tag: family.tag };
const status = (body: typeof PartnerStatusChange | typeof LinkStatusChange) => [
  ...completeBodyRefusals(body),
  refusals.notOneOf('status', ANY_TEXT, body.shape.status.options),
];

export const programRoutes: Readonly<Record<string, Operation>> = {
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
    description: '`warnings` is there while its key must be replaced, and when it is retired.',
    parameters: [programId],
    ok: [z.extend(data(Program), { warnings: z.optional(OwnersWarnings) })],
  }),
  'dashboard/program/patch': operation(family, {
    id: 'changeProgram',
    summary: 'Change a program',
    description: 'The fields that are sent are changed. Sales that are recorded keep the terms of their time.',
    parameters: [programId],
    body: ProgramChange,
    ok: [data(Program)],
    refusals: [...bodyRefusals, ...programFieldRefusals],
  }),
  'dashboard/api-key/post': operation(ownersOnly(family), {
    id: 'generateProgramKey',
    summary: 'Generate the program key',
    description: 'For owners. The only answer that ever holds a program key. The old key fails at once.',
    parameters: [programId],
    body: z.optional(z.object({})),
    ok: [data(GeneratedKey)],
    refusals: bodyRefusals,
  }),
  'dashboard/partners/get': operation(family, {
    id: 'listPartners',
    summary: 'List the partners',
    description: figuresText,
    parameters: [programId, ...page, chosen('status', 'Only those.', partnerStatuses), ...figures],
    ok: [rankedListOf(Partner)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, partnerStatuses), ...figuresRefusals],
  }),
  'dashboard/partners/post': operation(family, {
    id: 'addPartner',
    summary: 'Add a partner',
    description: 'The same address in another program of the workspace is the same partner.',
    parameters: [programId],
    body: z.object({ name: NewPartner.shape.name, email: text }),
    ok: [data(Partner)],
    refusals: [
      ...completeBodyRefusals(NewPartner),
      ...[fieldTexts.name, fieldTexts.email].map(refusals.badRequest),
      refusals.partnerAlreadyInProgram(),
      refusals.programPaused(),
      refusals.partnersFull(MOST_PARTNERS),
    ],
  }),
  'dashboard/partner/patch': operation(family, {
    id: 'setPartnerStatus',
    summary: 'Remove a partner from the program, or bring one back',
    parameters: [programId, inPath('partner_id', 'The partner.')],
    body: PartnerStatusChange,
    ok: [data(Partner)],
    refusals: [refusals.partnerNotFound(), ...status(PartnerStatusChange)],
  }),
  'dashboard/links/get': operation(family, {
    id: 'listLinks',
    summary: 'List the referral links',
    description: figuresText,
    parameters: [
      programId,
      ...page,
      inQuery('partner_id', 'Only those of this partner.', id),
      chosen('status', 'Only those.', linkStatuses),
      ...figures,
    ],
    ok: [rankedListOf(ReferralLink)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, linkStatuses), ...figuresRefusals],
  }),
  'dashboard/links/post': operation(family, {
    id: 'createLink',
    summary: 'Create a referral link',
    parameters: [programId],
    body: z.object({
      partner_id: id,
      short_link: about('Unique over all programs; made up when absent.', z.nullish(NewLink.shape.short_link)),
      destination_url: about("The program's domain when absent.", z.nullish(text)),
    }),
    ok: [data(ReferralLink)],
    refusals: [
      refusals.partnerNotFound(),
      ...bodyRefusals,
      refusals.missingFields(['partner_id']),
      refusals.badRequest(SHORT_LINK_INVALID),
      refusals.destinationInvalid(),
      refusals.partnerRemoved(),
      refusals.shortLinkTaken(),
      refusals.programPaused(),
      refusals.linksFull(MOST_LINKS),
    ],
  }),
  'dashboard/link/patch': operation(family, {
    id: 'setLinkStatus',
    summary: 'Switch a referral link on or off',
    parameters: [programId, inPath('short_link', 'The link.', text)],
    body: LinkStatusChange,
    ok: [data(ReferralLink)],
    refusals: [refusals.shortLinkNotFound(), ...status(LinkStatusChange)],
  }),
};
