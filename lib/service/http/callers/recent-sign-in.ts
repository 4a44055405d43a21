import { FRESH_SIGN_IN_MS, isRecentSignIn } from '#lib/service/ground/addresses/login-token.ts';
import { type Refusal, signInAgain, signInOnPage } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { AccountCaller } from '#lib/service/http/callers/authorize.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** What an endpoint knows before it reads the fields. */
interface Asked<Caller, Subject> {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly sent: { readonly json: () => Json };
  readonly subject: Subject;
}

/** How an endpoint that needs a recent sign-in differs from the others. */
export interface RecentSignIn<Caller, Subject> {
  /** Which requests need one. Default: all. */
  readonly when?: (asked: Asked<Caller, Subject>) => boolean | Promise<boolean>;
  /** Default: 15 minutes. */
  readonly withinMs?: number;
  /** Default: `Sign in again for this`. */
  readonly refusal?: () => Refusal;
}

/** @throws Refusal for a terminal's token, or somebody who signed in too long ago */
export async function checkSignIn<Caller extends AccountCaller, Subject>(
  rule: true | RecentSignIn<Caller, Subject>,
  asked: Asked<Caller, Subject>,
): Promise<void> {
  const { when, withinMs = FRESH_SIGN_IN_MS, refusal = signInAgain } = rule === true ? {} : rule;
  if (when && !(await when(asked))) return;
  const { caller, deps } = asked;
  // A terminal's sign-in was confirmed on a page that somebody else may have opened there.
  if (caller.kind === 'cli') throw signInOnPage();
  if (!isRecentSignIn(caller.signedInAt, deps.now, withinMs)) throw refusal();
}
