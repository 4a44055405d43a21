import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { type Check, check, hasHeader, hasStatus, isApiAnswer, isCounted, isRefusal } from '#test/smoke/check.ts';

const track = '/api/v1/track';
const NO_CREDENTIAL = 'Missing or malformed Authorization header. Expected: Bearer <token>';

/** Checks of the API's replies to unknown callers. */
export const refusalChecks: readonly Check[] = [
  check('an unknown path of the API is not found', async (wire) => {
    isRefusal(await wire('GET', '/api/v1/nothing'), 404, 'NotFoundError', 'Not Found');
  }),
  check('an unknown page is not found', async (wire) => {
    const answer = await wire('GET', '/nothing');
    hasStatus(answer, 404);
    strictEqual(answer.json?.error?.name, 'NotFoundError');
  }),
  check('a click without address is refused, and counted', async (wire) => {
    const answer = await wire('POST', `${track}/click`, { body: {} });
    isRefusal(answer, 400, 'BadRequestError', 'affiliate_url is required');
    isCounted(answer, 60);
    hasHeader(answer, 'Vary', /Origin/);
  }),
  check('a click through an unknown link is refused', async (wire) => {
    const body = { affiliate_url: `https://brand.test/?aff=smoke-${crypto.randomUUID()}` };
    isRefusal(await wire('POST', `${track}/click`, { body }), 400, 'BadRequestError', 'Referral link not found');
  }),
  check('malformed JSON is refused', async (wire) => {
    const answer = await wire('POST', `${track}/click`, { body: '{' });
    isRefusal(answer, 400, 'BadRequestError', 'Invalid JSON body');
  }),
  check('a lead of nobody is refused, and counted', async (wire) => {
    const answer = await wire('POST', `${track}/lead`, { body: {} });
    isRefusal(answer, 400, 'BadRequestError', 'click_id or customer_key is required');
    isCounted(answer, 30);
  }),
  ...['sale', 'refund'].map((kind) =>
    check(`a ${kind} without key is refused, and counted`, async (wire) => {
      const answer = await wire('POST', `${track}/${kind}`, { body: {} });
      isRefusal(answer, 401, 'UnauthorizedError', NO_CREDENTIAL, 'unauthorized');
      isCounted(answer, 120);
    }),
  ),
  check('a sale with an unknown key is refused', async (wire) => {
    const answer = await wire('POST', `${track}/sale`, { key: 'aff_smoke', body: {} });
    isRefusal(answer, 401, 'UnauthorizedError', 'Invalid API token', 'unauthorized');
  }),
  check('readiness without key is refused', async (wire) => {
    const answer = await wire('GET', '/api/v1/programs/me/readiness');
    isApiAnswer(answer, 401);
    deepStrictEqual(answer.json, { error: { code: 'invalid_key', message: `${NO_CREDENTIAL}.` } });
    isCounted(answer, 30);
  }),
  check('a terminal may begin to sign in', async (wire) => {
    const answer = await wire('POST', '/api/v1/cli/auth/start', { body: {} });
    isApiAnswer(answer, 200);
    isCounted(answer, 60);
    const pending = await wire('GET', new URL(answer.json.data.poll_url).pathname + `?state=${answer.json.data.state}`);
    deepStrictEqual(pending.json, { data: { status: 'pending' } });
  }),
  check('the dashboard’s API wants people to sign in', async (wire) => {
    const answer = await wire('GET', '/api/dashboard/v1/me');
    isRefusal(answer, 401, 'UnauthorizedError', 'Sign in to continue');
    isCounted(answer, 300);
  }),
  check('somebody whose token nobody signed does not get in', async (wire) => {
    const answer = await wire('POST', '/api/dashboard/v1/session', { body: { id_token: 'nobody.signed.this' } });
    isRefusal(answer, 401, 'UnauthorizedError', 'Invalid or expired id_token');
  }),
  check('agents without key are refused', async (wire) => {
    const answer = await wire('GET', '/api/agent/v1/programs');
    isRefusal(answer, 401, 'UnauthorizedError', NO_CREDENTIAL);
    isCounted(answer, 60);
  }),
  check('the retired endpoint names its successor', async (wire) => {
    const message = 'This endpoint is retired. Connect your payment processor from the dashboard: program Settings.';
    isRefusal(await wire('POST', '/api/v1/cli/payment-connect'), 410, 'GoneError', message);
  }),
  check('an event that Stripe did not sign is refused', async (wire) => {
    const answer = await wire('POST', '/api/v1/webhooks/stripe', { body: { id: 'evt_smoke' } });
    isRefusal(answer, 400, 'BadRequestError', 'Invalid signature');
  }),
  check('a page of an unknown origin is not let in', async (wire) => {
    const headers = { Origin: 'https://nobody.invalid', 'Access-Control-Request-Method': 'POST' };
    const answer = await wire('OPTIONS', `${track}/click`, { headers });
    hasStatus(answer, 204);
    hasHeader(answer, 'Vary', /Origin/);
    strictEqual(answer.headers.get('Access-Control-Allow-Origin'), null);
  }),
];
