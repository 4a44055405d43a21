import { describe, expect, it } from 'vitest';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { rateLimitOfUnknownPath } from '#lib/service/http/clients/unknown-path-limit.ts';

describe('rateLimitOfUnknownPath, which chooses the rate limit for a path without a route,', () => {
  it.each([
    ['/api/v1/cli/nothing', rateLimits.cli],
    ['/api/dashboard/v1/x', rateLimits.dashboard],
    ['/api/agent/v1/x/y', rateLimits.agent],
    ['/api/v1/client', undefined],
    ['/api/v1/track/nothing', undefined],
    ['/', undefined],
  ])('chooses the limit of the API to which the path belongs: %s', (path, limit) => {
    expect(rateLimitOfUnknownPath(path)).toBe(limit);
  });
});
