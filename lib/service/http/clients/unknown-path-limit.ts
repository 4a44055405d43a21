import { type RateLimit, rateLimits } from '#lib/service/ground/values/rate-limits.ts';

/** Requests to paths that begin with one of these prefixes are counted even if no route has the path. */
const countedPrefixes: ReadonlyArray<readonly [string, RateLimit]> = [
  ['/api/v1/cli/', rateLimits.cli],
  ['/api/dashboard/v1/', rateLimits.dashboard],
  ['/api/agent/v1/', rateLimits.agent],
];

export const rateLimitOfUnknownPath = (path: string): RateLimit | undefined =>
  countedPrefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
