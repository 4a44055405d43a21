import * as z from 'zod/mini';
import { about, optionalId, text, time } from '#lib/wire/fields.ts';

/** A login of the command line that has begun. */
export const StartedLogin = z.strictObject({
  state: about('43 base64url characters.', z.string().check(z.regex(/^[\w-]{43}$/))),
  auth_url: text,
  poll_url: text,
  expires_at: time,
});
export type StartedLogin = z.output<typeof StartedLogin>;

export const CompletedLogin = z.strictObject({ status: z.literal('complete') });
export type CompletedLogin = z.output<typeof CompletedLogin>;

/** A login without token: not yet, or not any more. */
export const WaitingLogin = z.strictObject({ status: z.enum(['pending', 'expired']) });

/** A login with its token, which is returned once. */
export const FetchedLogin = z.strictObject({
  status: z.literal('complete'),
  token: z.string().check(z.regex(/^lgn_/)),
  email: text,
  advertiser_id: about("The account's workspace.", optionalId),
});
export type FetchedLogin = z.output<typeof FetchedLogin>;

export type PolledLogin = z.output<typeof WaitingLogin> | FetchedLogin;
