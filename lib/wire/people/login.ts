import * as z from 'zod/mini';
import { about, optionalId, optionalText, text, time } from '#lib/wire/words/fields.ts';

const loginCode = z.string().check(z.regex(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/));

/** A login of the command line that has started. */
export const StartedLogin = z.strictObject({
  state: about('43 base64url characters.', z.string().check(z.regex(/^[\w-]{43}$/))),
  auth_url: text,
  poll_url: text,
  expires_at: time,
  code: about('For the person: the page behind `auth_url` shows the same.', loginCode),
});
export type StartedLogin = z.output<typeof StartedLogin>;

/** A login that waits for confirmation, as the confirmation page shows it. */
export const LoginRequest = z.strictObject({
  requested_at: time,
  network: about('Of the terminal, without the last part of its address.', optionalText),
  code: about('The terminal shows the same.', loginCode),
});
export type LoginRequest = z.output<typeof LoginRequest>;

export const CompletedLogin = z.strictObject({ status: z.literal('complete') });
export type CompletedLogin = z.output<typeof CompletedLogin>;

/** A login without a token, because it is pending or has ended. */
export const WaitingLogin = z.strictObject({ status: z.enum(['pending', 'expired']) });

/** A login with its token, which is returned only once. */
export const FetchedLogin = z.strictObject({
  status: z.literal('complete'),
  token: z.string().check(z.regex(/^lgn_/)),
  email: text,
  advertiser_id: about("The account's workspace.", optionalId),
});
export type FetchedLogin = z.output<typeof FetchedLogin>;

export type PolledLogin = z.output<typeof WaitingLogin> | FetchedLogin;
