import { errorOfReply, type Json } from '#lib/apps/client/errors/error-of-reply.ts';
import { NetworkError, ReferralError } from '#lib/apps/client/errors/referral-error.ts';

/** The part of `fetch` that the client uses. A replacement must implement it. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the base URL, including the query. */
  readonly path: string;
  /** The credential, sent as a bearer token; undefined for a request without credential. */
  readonly bearer?: string | undefined;
  readonly body?: Json;
}

interface WireReply {
  readonly status: number;
  readonly body: Json;
}

/**
 * Sends one request once, without retries.
 * @param signal aborts the request, instead of the transport's own timeout
 * @throws ReferralError for every error reply, and if there is no reply
 */
export type Send = (request: WireRequest, signal?: AbortSignal) => Promise<WireReply>;

/**
 * Creates the function through which the client sends all its requests. No other module of the client uses HTTP.
 * @param options.timeoutMs maximum time until the whole reply is received
 */
export function openTransport(options: {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly fetch?: Fetch | undefined;
  /** The name of the calling program. Default: the runtime's own name. */
  readonly userAgent?: string;
  /** A function that changes the wording of the service's messages in errors. Default: unchanged. */
  readonly wording?: (text: string) => string;
}): Send {
  const { baseUrl, timeoutMs, userAgent, wording } = options;
  // The global `fetch` is read at each call, because a monitoring tool may replace it after this client is created.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  async function exchange({ method, path, bearer, body }: WireRequest, signal: AbortSignal) {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (userAgent !== undefined) headers['User-Agent'] = userAgent;
    if (bearer !== undefined) headers.Authorization = `Bearer ${bearer}`;
    if (body) headers['Content-Type'] = 'application/json';
    try {
      const reply = await fetch(`${baseUrl}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        // A redirect means that the base URL is wrong, so it becomes an error. If it were followed, a POST would become
        // a GET without its body.
        redirect: 'manual',
        signal,
      });
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    } catch (cause) {
      const reason = signal.aborted ? `no reply within ${timeoutMs} ms` : reasonOf(cause);
      throw new NetworkError(`Cannot reach ${baseUrl}: ${reason}`, {
        code: 'network_error',
        reason: 'network_error',
        cause,
      });
    }
  }

  return async (request, signal = AbortSignal.timeout(timeoutMs)) => {
    const { status, headers, text } = await exchange(request, signal);
    const body = objectIn(text);
    const requestId = headers.get('X-Request-ID') ?? undefined;
    if (status >= 300 && status < 400) {
      const message = `${baseUrl} redirects to ${headers.get('Location') ?? 'another address'}. Use the service's own address.`;
      throw new ReferralError(message, { status, requestId });
    }
    if (status < 200 || status >= 400) {
      const failed = { status, body: body ?? {}, requestId, retryAfter: headers.get('Retry-After') };
      throw errorOfReply(failed, wording);
    }
    if (!body) {
      const message = `${baseUrl}${request.path} answered ${status} without a JSON object. Is this the service's address?`;
      throw new ReferralError(message, { status, requestId });
    }
    return { status, body };
  };
}

function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The reason of a failed request. The error of `fetch` only says that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || (cause as { code?: string }).code || error.message;
}
