import { hashOfDay, saltOf } from '#lib/service/ground/effects/daily-hash.ts';
import { clientNetwork } from '#lib/service/http/clients/client-network.ts';
import { type CredentialClass, looksLike, sha256 } from '#lib/service/ground/addresses/credential.ts';
import { type RateLimit, rateWindowAt } from '#lib/service/ground/values/rate-limits.ts';
import { rateLimited } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countRequest } from '#lib/service/ground/counters/rate-windows-items.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { clientAddress } from '#lib/service/http/clients/client-address.ts';
import type { MiddlewareRequest, Middleware } from '#lib/service/http/messages/middleware.ts';

/** Counts a request under the client's address. @returns the number of requests in this minute, including this one */
export type CountByAddress = (call: RequestContext & { readonly address: string }, group: string) => Promise<number>;

const countInWindow: CountByAddress = async ({ deps, address }, group) =>
  countRequest(deps.table, group, `ip:${await hashOfDay(deps, clientNetwork(address))}`, rateWindowAt(deps.now));

/**
 * Returns the identity under which a request is counted. If the result is undefined, the request is counted under its
 * credential or address.
 */
export type CountedAs = (call: RequestContext) => Promise<string | undefined>;

/**
 * Counts every request in its window and refuses those over the limit, before anything else is decided. The write that
 * counts and the lookup of the credential are in the same call to the table.
 * @param limitOf returns the limit for a request; undefined = the request is not limited
 */
export function rateLimit(
  limitOf: (call: RequestContext) => RateLimit | undefined,
  countByAddress = countInWindow,
  countedAs?: CountedAs,
): Middleware {
  const counts = new WeakMap<RequestContext, Counted>();

  const countAndRefuse = async ({ event: call }: MiddlewareRequest): Promise<void> => {
    const limit = limitOf(call);
    if (!limit) return;
    const identity = await countedAs?.(call);
    const window = await (identity === undefined
      ? countOf(call, limit, countByAddress)
      : countedUnder(call.deps, limit, identity));
    counts.set(call, window);
    if (window.count > window.perMinute) throw rateLimited(rateWindowAt(call.deps.now).retryAfterSeconds);
  };

  const addHeaders = ({ event: call, response: reply }: MiddlewareRequest): void => {
    const limit = limitOf(call);
    if (!limit || !reply) return;
    const window = rateWindowAt(call.deps.now);
    const { count, perMinute } = counts.get(call) ?? { count: 1, perMinute: limit.perMinute };
    reply.headers['X-RateLimit-Limit'] = String(perMinute);
    reply.headers['X-RateLimit-Remaining'] = String(Math.max(0, perMinute - count));
    reply.headers['X-RateLimit-Reset'] = String(window.resetSeconds);
  };

  return { before: countAndRefuse, after: addHeaders, onError: addHeaders };
}

/** The number of requests in the window, including this one, and the limit for them. */
interface Counted {
  readonly count: number;
  readonly perMinute: number;
}

/** Counts a request under an identity that the endpoint chooses. @throws Refusal over the limit */
export async function countedOrRefused(deps: Deps, limit: RateLimit, identity: string): Promise<void> {
  const { count, perMinute } = await countedUnder(deps, limit, identity);
  if (count > perMinute) throw rateLimited(rateWindowAt(deps.now).retryAfterSeconds);
}

const countedUnder = (deps: Deps, limit: RateLimit, identity: string): Promise<Counted> =>
  counted({ deps }, limit, limit.perMinute, () =>
    countRequest(deps.table, limit.group, identity, rateWindowAt(deps.now)),
  );

/**
 * Requests with a kind of credential that the limit's group counts are counted under the credential, all others under
 * the client's address.
 */
async function countOf(call: RequestContext, limit: RateLimit, countByAddress: CountByAddress): Promise<Counted> {
  const { authorization, deps } = call;
  const byAddress = () =>
    counted(call, limit, limit.perMinute, async () => {
      // If the salt and the credential are not cached, this loads both in one call to the table. A failure is reported
      // where the salt is used.
      saltOf(deps).catch(() => undefined);
      const address = await clientAddress(call);
      return countByAddress(Object.assign(call, { address }), limit.group);
    });
  if (limit.countedPer.length === 0 || authorization.scheme === 'malformed' || authorization.token === '') {
    return byAddress();
  }
  const perCredential = limit.perMinuteOfCredential ?? limit.perMinute;
  const byCredential = () =>
    counted(call, limit, perCredential, () =>
      countRequest(deps.table, limit.group, `key:${sha256(authorization.token)}`, rateWindowAt(deps.now)),
    );
  const isCounted = async () => isOneOf((await call.credential)?.class, limit.countedPer);
  // A token in the right format is most likely valid, so the request is counted while the token is looked up. With any
  // other token, counting waits for the lookup.
  if (!looksLike(authorization.token, limit.countedPer)) return (await isCounted()) ? byCredential() : byAddress();
  const [byKey, isKnown] = await Promise.all([byCredential(), isCounted()]);
  return isKnown ? byKey : byAddress();
}

const isOneOf = (name: CredentialClass | undefined, names: readonly CredentialClass[]): boolean =>
  name !== undefined && names.includes(name);

/**
 * Counts a request. If DynamoDB throttles this write, the client sends far more requests than allowed, and the request
 * is refused. After any other failure the request continues, so that no sale is lost.
 */
async function counted(
  { deps }: Pick<RequestContext, 'deps'>,
  { group }: RateLimit,
  perMinute: number,
  count: () => Promise<number>,
): Promise<Counted> {
  try {
    return { count: await count(), perMinute };
  } catch (error) {
    deps.log.error('rate_window_uncounted', error, { group });
    return { count: isThrottling(error) ? perMinute + 1 : 1, perMinute };
  }
}

const isThrottling = (error: unknown): boolean =>
  error instanceof Error &&
  ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'].includes(error.name);
