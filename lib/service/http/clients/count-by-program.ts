import { keyStateAt } from '#lib/service/programs/keys/key-rotation.ts';
import { identityOfProgram } from '#lib/service/ground/values/rate-limits.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/**
 * The identity under which requests with a valid key count together with what the program's other ways take in. Nobody
 * without one may use up what the processor's own events need.
 */
export async function programOfValidKey({ credential: lookup, deps }: RequestContext): Promise<string | undefined> {
  const credential = await lookup;
  if (credential?.class !== 'programKey' || keyStateAt(credential, deps.now) === 'retired') return undefined;
  return identityOfProgram(credential.programId);
}
