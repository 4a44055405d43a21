import { originIsAllowed, originOf } from '#lib/service/ground/addresses/origin.ts';
import { anyProgramAllows, findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { RequestContext, Reply } from '#lib/service/http/messages/request-context.ts';
import { after } from '#lib/service/http/messages/middleware.ts';

const READABLE_HEADERS = 'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After';

/**
 * How long the answer whether any program allows an origin is cached. A change of the allowed origins takes effect
 * after this time at the latest.
 */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

/** Answers cached in this container, oldest first. */
const rememberedAnswers = (): Map<string, { readonly isAllowed: boolean; readonly at: number }> => new Map();

/**
 * A middleware that lets pages of allowed origins read the reply. The request is processed in the same way if its
 * origin is not allowed.
 */
export const cors = () =>
  after(async (call, reply) => {
    reply.headers.Vary = 'Origin';
    const origin = originOf(call.event.headers.origin ?? '');
    if (!origin || !(await mayRead(call.deps, origin))) return;
    reply.headers['Access-Control-Allow-Origin'] = origin;
    reply.headers['Access-Control-Expose-Headers'] = READABLE_HEADERS;
  });

/** The reply to a browser's preflight of a click or a lead. */
export async function preflightReply({ event, deps }: RequestContext): Promise<Reply> {
  const headers: Record<string, string> = { Vary: 'Origin' };
  const origin = originOf(event.headers.origin ?? '');
  if (origin && (await anyAllows(deps, origin))) {
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Allow-Methods'] = 'POST, OPTIONS';
    headers['Access-Control-Allow-Headers'] = 'Content-Type, Authorization';
    headers['Access-Control-Max-Age'] = '600';
  }
  return { statusCode: 204, headers };
}

/**
 * Whether pages of the origin may read the reply: whether the request's program allows it or, if the program is
 * unknown, any program does. If the lookup fails, no origin is allowed.
 */
async function mayRead(deps: Deps, origin: string): Promise<boolean> {
  const { table, logContext, log } = deps;
  try {
    const program = logContext.programId === undefined ? undefined : await findProgram(table, logContext.programId);
    return program ? originIsAllowed(origin, program.allowedOrigins) : await anyAllows(deps, origin);
  } catch (error) {
    log.error('origin_unchecked', error);
    return false;
  }
}

/** An entry is also expired if it is too far in the future, because the clock of a local run can be turned back. */
async function anyAllows({ table, now, once }: Deps, origin: string): Promise<boolean> {
  const remembered = once(rememberedAnswers);
  const at = now.getTime();
  const known = remembered.get(origin);
  if (known && Math.abs(at - known.at) < REMEMBERED_MS) return known.isAllowed;
  const isAllowed = await anyProgramAllows(table, origin);
  remembered.delete(origin);
  remembered.set(origin, { isAllowed, at });
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return isAllowed;
}
