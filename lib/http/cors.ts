import { originIsAllowed, originOf } from '#lib/domain/origin.ts';
import { anyProgramAllows, findProgram } from '#lib/store/programs.ts';
import type { Deps } from '#lib/deps.ts';
import type { Call, Reply } from '#lib/http/call.ts';
import { onTheWayOut } from '#lib/http/middleware.ts';

const READABLE_HEADERS = 'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After';

/** Lets pages of allowed origins read the answer (contract 16). It never changes what is recorded. */
export const cors = () =>
  onTheWayOut(async (call, reply) => {
    reply.headers.Vary = 'Origin';
    const origin = originOf(call.event.headers.origin ?? '');
    if (!origin || !(await isAllowed(call.deps, origin))) return;
    reply.headers['Access-Control-Allow-Origin'] = origin;
    reply.headers['Access-Control-Expose-Headers'] = READABLE_HEADERS;
  });

/** The answer to a browser that asks whether it may send a click or a lead. */
export async function preflightReply({ event, deps }: Call): Promise<Reply> {
  const headers: Record<string, string> = { Vary: 'Origin' };
  const origin = originOf(event.headers.origin ?? '');
  if (origin && (await anyProgramAllows(deps.table, origin))) {
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Allow-Methods'] = 'POST, OPTIONS';
    headers['Access-Control-Allow-Headers'] = 'Content-Type, Authorization';
    headers['Access-Control-Max-Age'] = '600';
  }
  return { statusCode: 204, headers };
}

/** By the program that the request is about; by any program while none is known. A failed lookup allows nothing. */
async function isAllowed({ table, about, log }: Deps, origin: string): Promise<boolean> {
  try {
    const program = about.programId === undefined ? undefined : await findProgram(table, about.programId);
    return program ? originIsAllowed(origin, program.allowedOrigins) : await anyProgramAllows(table, origin);
  } catch (error) {
    log.error('origin_unchecked', error);
    return false;
  }
}
