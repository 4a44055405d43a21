import * as z from 'zod/mini';
import { memberRoles, MOST_MEMBERS } from '#lib/service/people/workspaces/workspace.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';
import { ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { AuditEntry } from '#lib/wire/people/audit.ts';
import { about, id, text } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { inPath, inPathOrQuery, page, range } from '#lib/wire/words/parameters.ts';
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
const answerRefusals = [...bodyRefusals, refusals.missingFields(['workspace_id']), refusals.invitationNotFound()];

export const peopleRoutes = {
  'dashboard/session/post': operation(open, {
    id: 'signIn',
    summary: 'Sign in',
    description:
      'An account is created at its first sign-in, where the installation allows it. Signing in joins no workspace: invitations wait.',
    body: z.object({ id_token: about('Of the configured issuer.', text) }),
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
    summary: 'The address that this request comes from',
    description: 'For the field `ignored_addresses` of a program.',
    ok: [data(OwnAddress)],
  }),
  'dashboard/tokens/get': operation(account, {
    id: 'listTokens',
    summary: 'List where one is signed in',
    description:
      'The login tokens in force, newest first: about 20 at most, because a further sign-in ends the one unused longest.',
    ok: [data(z.array(LoginToken).check(z.maxLength(100)))],
  }),
  'dashboard/tokens/delete': operation(account, {
    id: 'endOtherTokens',
    summary: 'Sign out everywhere else',
    ok: [data(RevokedTokens)],
  }),
  'dashboard/token/delete': operation(account, {
    id: 'endToken',
    summary: 'Sign out somewhere',
    parameters: [inPath('id', 'Of the login token, as the list tells it.', text)],
    ok: [data(Revoked)],
    refusals: [refusals.tokenNotFound()],
  }),
  'dashboard/me/get': operation(account, {
    id: 'getMe',
    summary: 'Who is signed in',
    ok: [data(Me)],
  }),
  'dashboard/workspace/post': operation(account, {
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Its creator is its owner.',
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
    summary: 'Freeze the payouts of all programs, or thaw them',
    description:
      'For owners. While they are frozen no payout is recorded and no file with payout details is answered; previews ' +
      'work. To thaw them the sign-in must not be older than 15 minutes. What the operator froze only the operator thaws.',
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
    description: 'For owners. Null is what is not set.',
    ok: [data(Payer)],
  }),
  'dashboard/payer/patch': operation(owners, {
    id: 'changePayer',
    summary: 'Say who pays the partners, and from which account',
    description:
      'For owners. Fields that are not sent stay; an empty text removes the value. The IBAN is stored encrypted.',
    body: z.object({ ...sentPayer, seen }),
    ok: [data(Payer)],
    refusals: [...bodyRefusals, ...Object.values(partyTexts).map(refusals.badRequest), ...seenRefusals],
  }),
  'dashboard/audit/get': operation(owners, {
    id: 'listAuditEntries',
    summary: 'List who changed what',
    description:
      'For owners. Every change of the workspace, its programs and their partners, by people and tools, newest first, for two years.',
    parameters: [...page, ...range],
    ok: [listOf(AuditEntry)],
    refusals: [...pageRefusals, ...rangeRefusals],
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
    summary: 'Invite somebody, or set the role of a member',
    description:
      'For owners. The membership is pending until somebody who signs in with this address accepts. Who is an owner is ' +
      'changed with a sign-in of the last 15 minutes only.',
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
    description: 'For owners. An address that a path cannot carry goes in the query.',
    parameters: inPathOrQuery('account_id', 'Of the account, or the address of a pending member.'),
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
    description: 'An account belongs to one workspace at most: it leaves the one it has first.',
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
