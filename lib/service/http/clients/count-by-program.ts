import { keyStateAt } from '#lib/service/programs/keys/key-rotation.ts';
import { identityOfProgram } from '#lib/service/ground/values/rate-limits.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/**
 * The identity by which requests with a valid key share the program's limit with its processor events. Requests without a
 * valid key cannot exhaust that limit.
 */
export async function programOfValidKey({ credential: lookup, deps }: RequestContext): Promise<string | undefined> {
  const credential = await lookup;
  if (credential?.class !== 'programKey' || keyStateAt(credential, deps.now) === 'retired') return undefined;
  return identityOfProgram(credential.programId);
}
