import * as z from 'zod/mini';
import { memberRoles } from '#lib/domain/workspace.ts';
import { id, named, optionalId, optionalText, optionalTime, text, time } from '#infra/openapi/fields.ts';

const role = named('MemberRole', z.enum(memberRoles));

/** Contract 15.2. */
export const account = named('Account', z.strictObject({ id, email: text, name: text }));
export const ownWorkspace = named('OwnWorkspace', z.strictObject({ id, name: text, role }));
export const workspace = named('Workspace', z.strictObject({ id, name: text, role, created_at: time }));

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
  'A pending member has no account yet: it joins when somebody with this address signs in.',
);
