import { expect } from 'vitest';
import { NOW } from '#test/support/callers/request.ts';

/** The headers that every reply with a body has. */
export const jsonHeaders = {
  'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/),
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
};

/**
 * The headers of a reply to a rate-limited request.
 * @param used number of requests in the minute, including this one
 */
export const countedHeaders = (perMinute: number, used = 1, at: Date = NOW) => ({
  ...jsonHeaders,
  'X-RateLimit-Limit': String(perMinute),
  'X-RateLimit-Remaining': String(Math.max(0, perMinute - used)),
  'X-RateLimit-Reset': String((Math.floor(at.getTime() / 60_000) + 1) * 60),
});

/** The headers with which a browser lets a page of an allowed origin read the reply. */
export const readableBy = (origin: string) => ({
  Vary: 'Origin',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers':
    'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
});
