import { keyStateAt } from '#lib/service/programs/keys/key-rotation.ts';
import { identityOfProgram } from '#lib/service/ground/values/rate-limits.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/**
 * Returns the identity under which requests with a valid program key are counted, so that they share one limit with the
 * processor's events of the program. Requests without a valid key cannot use up that limit.
 */
export async function programOfValidKey({ credential: lookup, deps }: RequestContext): Promise<string | undefined> {
  const credential = await lookup;
  if (credential?.class !== 'programKey' || keyStateAt(credential, deps.now) === 'retired') return undefined;
  return identityOfProgram(credential.programId);
}
