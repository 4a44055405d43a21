import * as z from 'zod/mini';
import { memberRoles, MOST_MEMBERS } from '#lib/service/people/workspaces/workspace.ts';
import { auditActions, auditTargets } from '#lib/service/ground/changes/audit.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';
import { ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { AuditAction, AuditEntry, AuditItem, AuditTargetType } from '#lib/wire/people/audit.ts';
import { about, id, text } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { byteOrderMark, inPath, inPathOrQuery, inQuery, page, range } from '#lib/wire/words/parameters.ts';
import { NewMember, NewWorkspace, WorkspaceChange } from '#lib/wire/people/people-request.ts';
import {
  Declined,
  LoginToken,
  Me,
  Member,
  OwnAddress,
  Removed,
  Revoked,
  RevokedTokens,
  Session,
  Workspace,
} from '#lib/wire/people/people.ts';
import {
  account,
  exportCursor,
  fileReplies,
  open,
  ownersOnly,
  pageRefusals,
  rangeRefusals,
  workspace,
} from '#lib/wire/document/dashboard-operations.ts';
import { Payer } from '#lib/wire/people/payer.ts';
import { partyTexts, payerFields } from '#lib/wire/words/party-request.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const owners = ownersOnly(workspace);
const sentPayer = Object.fromEntries(payerFields.map((field) => [field, z.nullish(text)]));
/** Query parameters that filter the audit list. */
const auditFilters = [
  inQuery('actor_id', 'Only changes by this account or key.', id),
  inQuery('action', 'Only this action.', AuditAction),
  inQuery('target_type', 'Only changes of this type of object.', AuditTargetType),
  inQuery(
    'target_id',
    'Only changes of this object, with the id as in `target`. A batch matches the ids of its items.',
  ),
  inQuery('program_id', 'Only changes in this program.', id),
  ...range,
];
const auditRefusals = [
  refusals.notOneOf('action', ANY_TEXT, auditActions),
  refusals.notOneOf('target_type', ANY_TEXT, auditTargets),
  ...rangeRefusals,
];
const answerRefusals = [...bodyRefusals, refusals.missingFields(['workspace_id']), refusals.invitationNotFound()];

export const peopleRoutes = {
  'dashboard/session/post': operation(open, {
    id: 'signIn',
    summary: 'Sign in',
    description:
      'The first sign-in creates an account, if the installation allows it. Signing in joins no workspace: a person must accept an invitation.',
    body: z.object({ id_token: about('An id token of the configured issuer.', text) }),
    ok: [data(Session)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['id_token']),
      refusals.idTokenInvalid(),
      refusals.accountSuspended(),
      refusals.invitationNeeded(),
      refusals.emailDomainRefused(),
    ],
  }),
  'dashboard/session/delete': operation(account, {
    id: 'signOut',
    summary: 'Sign out',
    ok: [data(Revoked)],
  }),
  'dashboard/address/get': operation(workspace, {
    id: 'getOwnAddress',
    summary: 'Read the IP address of this request',
    description: "Use it for a program's `ignored_addresses`.",
    ok: [data(OwnAddress)],
  }),
  'dashboard/tokens/get': operation(account, {
    id: 'listTokens',
    summary: 'List the sign-ins of the account',
    description:
      'The valid login tokens, newest first. There are about 20 at most: a further sign-in ends the one that has been unused longest.',
    ok: [data(z.array(LoginToken).check(z.maxLength(100)))],
  }),
  'dashboard/tokens/delete': operation(account, {
    id: 'endOtherTokens',
    summary: 'End all other sign-ins',
    ok: [data(RevokedTokens)],
  }),
  'dashboard/token/delete': operation(account, {
    id: 'endToken',
    summary: 'End a sign-in',
    parameters: [inPath('id', 'The id of the login token, from the list.', text)],
    ok: [data(Revoked)],
    refusals: [refusals.tokenNotFound()],
  }),
  'dashboard/me/get': operation(account, {
    id: 'getMe',
    summary: 'Read the account that is signed in',
    ok: [data(Me)],
  }),
  'dashboard/workspace/post': operation(account, {
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'The person who creates it becomes its owner.',
    body: NewWorkspace,
    ok: [data(Workspace)],
    refusals: [
      ...completeBodyRefusals(NewWorkspace),
      refusals.badRequest(fieldTexts.name),
      refusals.alreadyInWorkspace(),
    ],
  }),
  'dashboard/workspace/get': operation(workspace, {
    id: 'getWorkspace',
    summary: 'Read the workspace',
    ok: [data(Workspace)],
  }),
  'dashboard/workspace/patch': operation(owners, {
    id: 'changeWorkspace',
    summary: 'Freeze or unfreeze the payouts of all programs',
    description:
      'For owners. While payouts are frozen, none is created and no file with payout details is returned; previews work. To unfreeze, an owner must have signed in within the last 15 minutes. Only the operator can lift a freeze by the operator.',
    body: WorkspaceChange,
    ok: [data(Workspace)],
    refusals: [
      refusals.signInAgain(),
      ...bodyRefusals,
      refusals.badRequest(refusals.PAYOUTS_FROZEN_INVALID),
      refusals.frozenByOperator(),
    ],
  }),
  'dashboard/payer/get': operation(owners, {
    id: 'getPayer',
    summary: 'Read who pays the partners',
    description: 'For owners. Values that are not set are null.',
    ok: [data(Payer)],
  }),
  'dashboard/payer/patch': operation(owners, {
    id: 'changePayer',
    summary: 'Set who pays the partners, and from which account',
    description:
      'For owners. Fields that are not sent do not change; an empty text removes the value. The IBAN is stored encrypted.',
    body: z.object({ ...sentPayer, seen }),
    ok: [data(Payer)],
    refusals: [...bodyRefusals, ...Object.values(partyTexts).map(refusals.badRequest), ...seenRefusals],
  }),
  'dashboard/audit/get': operation(owners, {
    id: 'listAuditEntries',
    summary: 'List the audit log',
    description:
      'For owners. All changes of the workspace, its programs and their partners, by people and tools, of the last two years, newest first. Requests with the same `batch` share one entry for each action, with the number and amounts of the changed objects. With a filter, a page may be short or empty even if it is not the last, because a request reads a limited number of entries.',
    parameters: [...page, ...auditFilters],
    ok: [listOf(AuditEntry)],
    refusals: [...pageRefusals, ...auditRefusals],
  }),
  'dashboard/audit/export': operation(owners, {
    id: 'exportAuditEntries',
    summary: 'Export the audit log as a CSV file',
    description:
      'For owners. UTF-8, CRLF, quoted by RFC 4180. `amounts` and `changes` are JSON, as in the list. A cell that a spreadsheet would read as a formula begins with an apostrophe.',
    parameters: [...auditFilters, byteOrderMark, exportCursor],
    others: fileReplies(owners, {
      description: 'A CSV file with a row for each entry.',
      contentType: 'text/csv',
      body: z.string(),
    }),
    refusals: [...auditRefusals, refusals.cursorInvalid()],
  }),
  'dashboard/audit/items': operation(owners, {
    id: 'listAuditItems',
    summary: 'List the changed objects of an audit entry',
    description: 'For owners. An entry that is for no batch has one item.',
    parameters: [inPath('entry_id', 'The entry.', text), ...page],
    ok: [listOf(AuditItem)],
    refusals: [refusals.auditEntryNotFound(), ...pageRefusals],
  }),
  'dashboard/members/get': operation(workspace, {
    id: 'listMembers',
    summary: 'List the members',
    parameters: page,
    ok: [listOf(Member)],
    refusals: pageRefusals,
  }),
  'dashboard/members/post': operation(owners, {
    id: 'setMember',
    summary: "Invite a member, or set a member's role",
    description:
      'For owners. The membership is pending until a person who signs in with this address accepts it. To make or unmake an owner, you must have signed in within the last 15 minutes.',
    body: z.object({ email: text, role: NewMember.shape.role }),
    ok: [data(Member)],
    refusals: [
      refusals.signInAgain(),
      ...completeBodyRefusals(NewMember),
      refusals.badRequest(fieldTexts.email),
      refusals.notOneOf('role', ANY_TEXT, memberRoles),
      refusals.ownerRequired(),
      refusals.membersFull(MOST_MEMBERS),
    ],
  }),
  'dashboard/member/delete': operation(owners, {
    id: (_, path) => (path.endsWith('}') ? 'removeMember' : 'removeMemberByQuery'),
    summary: 'Remove a member',
    description: 'For owners. Send an address in the query if it cannot be part of a path.',
    parameters: inPathOrQuery('account_id', "The account's id, or the address of a pending member."),
    ok: [data(Removed)],
    refusals: [refusals.memberNotFound(), refusals.signInAgain(), refusals.ownerRequired()],
  }),
  'dashboard/membership/delete': operation(workspace, {
    id: 'leaveWorkspace',
    summary: 'Leave the workspace',
    ok: [data(Removed)],
    refusals: [refusals.ownerRequired()],
  }),
  'dashboard/workspace/join': operation(account, {
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'An account belongs to at most one workspace, so it leaves its present one.',
    body: z.object({ workspace_id: id }),
    ok: [data(Workspace)],
    refusals: [...answerRefusals, refusals.alreadyInWorkspace()],
  }),
  'dashboard/workspace/decline': operation(account, {
    id: 'declineInvitation',
    summary: 'Decline an invitation',
    body: z.object({ workspace_id: id }),
    ok: [data(Declined)],
    refusals: answerRefusals,
  }),
} satisfies Readonly<Record<string, Operation>>;
