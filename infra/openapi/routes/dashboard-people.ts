import * as z from 'zod/mini';
import { memberRoles } from '#lib/domain/workspace.ts';
import * as refusals from '#lib/domain/refusals.ts';
import { fieldTexts } from '#lib/http/requests/fields.ts';
import { ANY_TEXT, bodyRefusals } from '#infra/openapi/error-bodies.ts';
import { about, text, time } from '#infra/openapi/fields.ts';
import { type Operation, operation } from '#infra/openapi/operation.ts';
import { inPathOrQuery, page } from '#infra/openapi/parameters.ts';
import { name } from '#infra/openapi/requests.ts';
import {
  account as accountSchema,
  member,
  ownWorkspace,
  workspace as workspaceSchema,
} from '#infra/openapi/resources/people.ts';
import { account, open, ownersOnly, pageRefusals, workspace } from '#infra/openapi/routes/dashboard.ts';
import { data, listOf } from '#infra/openapi/wrapped.ts';

const owners = ownersOnly(workspace);

/** Contract 15.2. */
export const peopleRoutes: Readonly<Record<string, Operation>> = {
  'dashboard/session/post': operation(open, {
    id: 'signIn',
    summary: 'Sign in',
    description: 'An account is created at its first sign-in.',
    body: z.object({ id_token: about('Of the configured issuer.', text) }),
    ok: [
      data(
        z.strictObject({
          token: z.string().check(z.regex(/^lgn_/)),
          expires_at: time,
          account: accountSchema,
          workspace: z.nullable(ownWorkspace),
        }),
      ),
    ],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['id_token']),
      refusals.idTokenInvalid(),
      refusals.accountSuspended(),
    ],
  }),
  'dashboard/session/delete': operation(account, {
    id: 'signOut',
    summary: 'Sign out',
    ok: [data(z.strictObject({ revoked: z.literal(true) }))],
  }),
  'dashboard/me/get': operation(account, {
    id: 'getMe',
    summary: 'Who is signed in',
    ok: [data(z.strictObject({ account: accountSchema, workspace: z.nullable(ownWorkspace), token_expires_at: time }))],
  }),
  'dashboard/workspace/post': operation(account, {
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Its creator is its owner.',
    body: z.object({ name }),
    ok: [data(workspaceSchema)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['name']),
      refusals.badRequest(fieldTexts.name),
      refusals.alreadyInWorkspace(),
    ],
  }),
  'dashboard/workspace/get': operation(workspace, {
    id: 'getWorkspace',
    summary: 'Read the workspace',
    ok: [data(workspaceSchema)],
  }),
  'dashboard/members/get': operation(workspace, {
    id: 'listMembers',
    summary: 'List the members',
    parameters: page,
    ok: [listOf(member)],
    refusals: pageRefusals,
  }),
  'dashboard/members/post': operation(owners, {
    id: 'setMember',
    summary: 'Invite somebody, or set the role of a member',
    description: 'For owners. The membership is pending until somebody with this address signs in.',
    body: z.object({ email: text, role: z.enum(memberRoles) }),
    ok: [data(member)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['email', 'role']),
      refusals.badRequest(fieldTexts.email),
      refusals.notOneOf('role', ANY_TEXT, memberRoles),
      refusals.ownerRequired(),
    ],
  }),
  'dashboard/member/delete': operation(owners, {
    id: (_, path) => (path.endsWith('}') ? 'removeMember' : 'removeMemberByQuery'),
    summary: 'Remove a member',
    description: 'For owners. An address that a path cannot carry goes in the query.',
    parameters: inPathOrQuery('account_id', 'Of the account, or the address of a pending member.'),
    ok: [data(z.strictObject({ removed: z.literal(true) }))],
    refusals: [refusals.memberNotFound(), refusals.ownerRequired()],
  }),
};
