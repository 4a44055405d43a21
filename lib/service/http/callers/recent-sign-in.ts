import { FRESH_SIGN_IN_MS, isRecentSignIn } from '#lib/service/ground/addresses/login-token.ts';
import { type Refusal, signInAgain, signInOnPage } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { AccountCaller } from '#lib/service/http/callers/authorize.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** What is known about a request before its fields are read. */
interface Asked<Caller, Subject> {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly sent: { readonly json: () => Json };
  readonly subject: Subject;
}

/** How a route's rule for a recent sign-in differs from the default rule. */
export interface RecentSignIn<Caller, Subject> {
  /** Whether a request needs a recent sign-in. Default: always. */
  readonly when?: (asked: Asked<Caller, Subject>) => boolean | Promise<boolean>;
  /** How recent the sign-in must be. Default: 15 minutes. */
  readonly withinMs?: number;
  /** The refusal of a sign-in that is too old. Default: `Sign in again for this`. */
  readonly refusal?: () => Refusal;
}

/**
 * Checks that the sign-in is recent enough for the request.
 * @throws Refusal for a terminal's token, or when the sign-in is too long ago
 */
export async function checkSignIn<Caller extends AccountCaller, Subject>(
  rule: true | RecentSignIn<Caller, Subject>,
  asked: Asked<Caller, Subject>,
): Promise<void> {
  const { when, withinMs = FRESH_SIGN_IN_MS, refusal = signInAgain } = rule === true ? {} : rule;
  if (when && !(await when(asked))) return;
  const { caller, deps } = asked;
  // A token of the CLI is refused: an attacker may have started the login that this person then confirmed.
  if (caller.kind === 'cli') throw signInOnPage();
  if (!isRecentSignIn(caller.signedInAt, deps.now, withinMs)) throw refusal();
}
