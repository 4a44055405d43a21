import { afterEach, expect, it, vi } from 'vitest';
import { apiAt } from '#lib/apps/web/api/api.ts';

const REQUEST_ID = '0123456789abcdef0123456789abcdef';

afterEach(() => vi.unstubAllGlobals());

/** The error shown by a page for such a reply. */
async function failureOf(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  return apiAt(
    '/api',
    () => 'token',
    () => undefined,
  )
    .get('/links')
    .catch((error: unknown) => error);
}

const headers = { 'X-Request-ID': REQUEST_ID };
const limited = 'Too many requests. Try again in 17 seconds.';

it.each<[string, () => Promise<Response>, object]>([
  [
    'no reply',
    async () => {
      throw new TypeError('Failed to fetch');
    },
    { message: 'The service could not be reached. Check your connection and try again.', isRetryable: true },
  ],
  [
    'a reply from another server',
    async () => new Response('<html>A proxy</html>', { headers }),
    {
      message: 'The service gave an answer that cannot be read. Try again in a moment.',
      requestId: REQUEST_ID,
      isRetryable: true,
    },
  ],
  [
    'a 429 reply',
    async () =>
      Response.json(
        { error: { status: 429, code: 'rate_limited', message: limited, retry_after_seconds: 17 } },
        { status: 429, headers },
      ),
    { message: limited, code: 'rate_limited', retryAfterSeconds: 17, requestId: REQUEST_ID, isRetryable: true },
  ],
  [
    'a 500 reply, whose request id is taken out of the message',
    async () =>
      Response.json({ error: { message: `Request failed (request_id: ${REQUEST_ID})` } }, { status: 500, headers }),
    { message: 'Request failed', status: 500, requestId: REQUEST_ID, isRetryable: true },
  ],
])('a request that gets %s fails with a message for the user, who can try again', async (_, answer, told) => {
  expect(await failureOf(answer)).toMatchObject(told);
});
