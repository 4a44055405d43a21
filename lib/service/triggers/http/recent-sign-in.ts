import { signInAgainForThis } from '#lib/domain/refusals.ts';
import type { AccountCaller } from '#lib/service/triggers/http/authorize.ts';

const RECENT_MS = 15 * 60_000;

/** For what depends on the body; whoever finds somebody's browser open is not to do it. @throws Refusal */
export function needsRecentSignIn({ signedInAt }: Pick<AccountCaller, 'signedInAt'>, now: Date): void {
  const isRecent = signedInAt !== undefined && now.getTime() - Date.parse(signedInAt) <= RECENT_MS;
  if (!isRecent) throw signInAgainForThis();
}
