import * as z from 'zod/mini';
import { memberRoles } from '#lib/domain/workspace.ts';
import { id, named, optionalId, optionalText, optionalTime, text, time } from '#lib/wire/fields.ts';

const role = named('MemberRole', z.enum(memberRoles));

/** Contract 15.2. */
const account = named('Account', z.strictObject({ id, email: text, name: text }));
const ownWorkspace = named('OwnWorkspace', z.strictObject({ id, name: text, role }));
export const workspace = named('Workspace', z.strictObject({ id, name: text, role, created_at: time }));

const invitation = named(
  'Invitation',
  z.strictObject({ workspace_id: id, name: text, role, invited_by: optionalText, invited_at: time }),
  'Of the account’s address, to a workspace with this name. It waits until it is accepted, declined or withdrawn.',
);

export const loginToken = named(
  'LoginToken',
  z.strictObject({
    id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    kind: z.nullable(z.enum(['cli', 'dashboard'])),
    created_at: time,
    last_used_on: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
    address: optionalText,
    current: z.boolean(),
  }),
  'A sign-in that is in force. What was not noted of older ones is null; `current` is the one that asks.',
);

/** Of whoever is signed in. */
export const place = {
  account,
  workspace: z.nullable(ownWorkspace),
  invitations: z.array(invitation).check(z.maxLength(50)),
};

export const member = named(
  'Member',
  z.strictObject({
    account_id: optionalId,
    email: text,
    name: optionalText,
    role,
    status: z.enum(['active', 'pending']),
    joined_at: optionalTime,
  }),
  'A pending member has no account yet: it joins when somebody who signs in with this address accepts.',
);
