import * as z from 'zod/mini';
import { memberRoles } from '#lib/service/people/workspaces/workspace.ts';
import { about, id, named, optionalId, optionalText, optionalTime, text, time } from '#lib/wire/words/fields.ts';

const role = named('MemberRole', z.enum(memberRoles));

export const Account = named('Account', z.strictObject({ id, email: text, name: text }));
export type Account = z.output<typeof Account>;

const OwnWorkspace = named('OwnWorkspace', z.strictObject({ id, name: text, role }));
export type OwnWorkspace = z.output<typeof OwnWorkspace>;

export const Workspace = named(
  'Workspace',
  z.strictObject({
    id,
    name: text,
    role,
    payouts_frozen: about('While true, no program of the workspace pays out.', z.boolean()),
    created_at: time,
  }),
);
export type Workspace = z.output<typeof Workspace>;

const Invitation = named(
  'Invitation',
  z.strictObject({ workspace_id: id, name: text, role, invited_by: optionalText, invited_at: time }),
  "An invitation to a workspace with this name, to the account's address. It is pending until it is accepted, declined or withdrawn.",
);
export type Invitation = z.output<typeof Invitation>;

const loginTokenValue = z.string().check(z.regex(/^lgn_/));

export const LoginToken = named(
  'LoginToken',
  z.strictObject({
    id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    kind: z.enum(['cli', 'dashboard']),
    created_at: time,
    last_used_on: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
    address: optionalText,
    browser: about('For example `Firefox on Windows`.', optionalText),
    place: about('For example `Lisbon, Portugal`. Null if it is not known.', optionalText),
    current: z.boolean(),
  }),
  'A valid sign-in. `current` is true for the sign-in of this request.',
);
export type LoginToken = z.output<typeof LoginToken>;

/** The signed-in person, their workspace and their invitations. */
const place = {
  account: Account,
  workspace: z.nullable(OwnWorkspace),
  invitations: z.array(Invitation).check(z.maxLength(50)),
};
export type Place = Omit<Me, 'token_expires_at'>;

export const Me = z.strictObject({ ...place, token_expires_at: time });
export type Me = z.output<typeof Me>;

/** The network address of the caller. */
export const OwnAddress = z.strictObject({ address: about('An IPv4 or IPv6 address.', text) });
export type OwnAddress = z.output<typeof OwnAddress>;

export const Session = z.strictObject({ token: loginTokenValue, expires_at: time, ...place });
export type Session = z.output<typeof Session>;

export const Member = named(
  'Member',
  z.strictObject({
    account_id: optionalId,
    email: text,
    name: optionalText,
    role,
    status: z.enum(['active', 'pending']),
    joined_at: optionalTime,
  }),
  'A member of the workspace. A pending member has no account yet, and joins by accepting after a sign-in with this address.',
);
export type Member = z.output<typeof Member>;

export const Revoked = z.strictObject({ revoked: z.literal(true) });
export type Revoked = z.output<typeof Revoked>;

/** The reply to ending all other sign-ins: how many were ended. */
export const RevokedTokens = z.strictObject({ revoked: z.int().check(z.nonnegative()) });
export type RevokedTokens = z.output<typeof RevokedTokens>;

export const Removed = z.strictObject({ removed: z.literal(true) });
export type Removed = z.output<typeof Removed>;

export const Declined = z.strictObject({ declined: z.literal(true) });
export type Declined = z.output<typeof Declined>;
