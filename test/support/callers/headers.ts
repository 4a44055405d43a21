import { expect } from 'vitest';
import { NOW } from '#test/support/callers/request.ts';

/** Headers of every reply with a body. */
export const jsonHeaders = {
  'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/),
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
};

/** Headers of a rate-limited reply. @param used requests in the minute, including this one */
export const countedHeaders = (perMinute: number, used = 1, at: Date = NOW) => ({
  ...jsonHeaders,
  'X-RateLimit-Limit': String(perMinute),
  'X-RateLimit-Remaining': String(Math.max(0, perMinute - used)),
  'X-RateLimit-Reset': String((Math.floor(at.getTime() / 60_000) + 1) * 60),
});

/** Headers that let a page of an allowed origin read the reply. */
export const readableBy = (origin: string) => ({
  Vary: 'Origin',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers':
    'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
});
