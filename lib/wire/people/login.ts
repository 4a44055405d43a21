import * as z from 'zod/mini';
import { about, optionalId, optionalText, text, time } from '#lib/wire/words/fields.ts';

const loginCode = z.string().check(z.regex(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/));

/** A login of the command line that has started. */
export const StartedLogin = z.strictObject({
  state: about('43 base64url characters.', z.string().check(z.regex(/^[\w-]{43}$/))),
  auth_url: text,
  poll_url: text,
  expires_at: time,
  code: about('A code for the person to compare: the page behind `auth_url` shows the same code.', loginCode),
});
export type StartedLogin = z.output<typeof StartedLogin>;

/** A login that waits for confirmation, as the confirmation page shows it. */
export const LoginRequest = z.strictObject({
  requested_at: time,
  network: about('The network of the terminal: its IP address without the last part.', optionalText),
  code: about('A code for the person to compare: the terminal shows the same code.', loginCode),
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
  advertiser_id: about("The id of the account's workspace.", optionalId),
});
export type FetchedLogin = z.output<typeof FetchedLogin>;

export type PolledLogin = z.output<typeof WaitingLogin> | FetchedLogin;
