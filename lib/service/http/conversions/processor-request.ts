import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import type { ConnectReturn } from '#lib/service/conversions/processors/connect-processor.ts';

const COOKIE = 'service_connect';
const COOKIE_PATH = '/api/dashboard/v1/processor';
const COOKIE_SECONDS = 10 * 60;

/**
 * A cookie that ties the connection's `state` to the browser that started it.
 * @param baseUrl if it is https, the cookie is `Secure`
 */
export const connectCookie = (state: string, baseUrl: string): string =>
  [
    `${COOKIE}=${state}`,
    `Path=${COOKIE_PATH}`,
    `Max-Age=${COOKIE_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/** The query with which the processor redirects the browser back. */
export const connectReturn = ({ query, cookies }: RequestInput): ConnectReturn => ({
  state: query.state,
  cookie: cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1),
  code: query.code,
  isDenied: query.error !== undefined,
});
