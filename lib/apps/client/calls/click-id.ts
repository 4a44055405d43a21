/**
 * The name under which a visitor's click id is stored: as a field of your sign-up form, and as the tracker's cookie.
 */
const NAME = 'service_click_id';

/** A request from Node, Express, Fastify or `fetch`. */
export interface SignupRequest {
  readonly headers: HeadersOfFetch | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A parsed form or JSON; any other body is ignored. */
  readonly body?: unknown;
}

interface HeadersOfFetch {
  get(name: string): string | null;
}

/**
 * Finds the visitor's click id for `trackLead`: first in the form field `service_click_id`, which the page fills with
 * `service.getClickId()`; otherwise in the cookie `service_click_id`, which your server receives if it has the page's
 * domain.
 * @param form the parsed form, if the request does not contain it: `clickIdFrom(request, await request.formData())`
 * @returns undefined for a visitor who came without a referral link
 */
export const clickIdFrom = (request: SignupRequest, form: unknown = request.body): string | undefined =>
  usable(fieldOf(form)) ?? usable(cookieOf(request.headers));

function fieldOf(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return undefined;
  const { get, [NAME]: field } = form as { get?: unknown; [NAME]?: unknown };
  // `FormData` and `URLSearchParams` have a method `get`.
  return field ?? (typeof get === 'function' ? get.call(form, NAME) : undefined);
}

function cookieOf(headers: SignupRequest['headers']): string | undefined {
  const sent = typeof headers.get === 'function' ? headers.get('cookie') : (headers as { cookie?: unknown }).cookie;
  const [, value] = new RegExp(`(?:^|;) *${NAME}=([^;]*)`).exec(typeof sent === 'string' ? sent : '') ?? [];
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value if it is a text. A field that was sent twice arrives as a list. Lists are ignored, because it is
 * unknown which of the values is the right one.
 */
function usable(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= 255 ? text : undefined;
}
