/** The visitor's click, as a field of your sign-up form and as the tracker's cookie. */
const NAME = 'service_click_id';

/** A request of Node, Express, Fastify or `fetch`. */
export interface SignupRequest {
  readonly headers: HeadersOfFetch | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A form or JSON that was parsed; anything else is not looked at. */
  readonly body?: unknown;
}

interface HeadersOfFetch {
  get(name: string): string | null;
}

/**
 * The visitor's click id, for `trackLead`: the form field `service_click_id` first, which the page fills with
 * `service.getClickId()`, then the cookie `service_click_id`, which your server sees if it is below the same domain.
 * @param form the parsed form, where the request does not carry it: `clickIdFrom(request, await request.formData())`
 * @returns undefined for a visitor whom no partner brought
 */
export const clickIdFrom = (request: SignupRequest, form: unknown = request.body): string | undefined =>
  usable(fieldOf(form)) ?? usable(cookieOf(request.headers));

function fieldOf(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return undefined;
  const { get, [NAME]: field } = form as { get?: unknown; [NAME]?: unknown };
  // FormData and URLSearchParams.
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

/** A repeated field comes as a list, of which none is to be trusted more than another. */
function usable(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= 255 ? text : undefined;
}
