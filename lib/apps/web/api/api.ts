import { ApiError, apiErrorFrom } from '#lib/apps/web/api/api-error.ts';
import type { OwnersWarnings } from '#lib/wire/programs/rotation.ts';

/** The body of a successful reply. */
export interface Answer<T> {
  readonly data: T;
  readonly meta?: {
    readonly next_cursor: string | null;
    /** Number of rows of the whole list. Of a longer list, only the 10,000 oldest rows are sorted. */
    readonly sorted_of?: number;
  };
  readonly warnings?: OwnersWarnings;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Api {
  /** Sends a GET request and returns the whole reply: for lists, and for fields that are not in `data`. */
  readonly answer: <T>(path: string, query?: Query) => Promise<Answer<T>>;
  readonly get: <T>(path: string, query?: Query) => Promise<T>;
  readonly send: <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** Sends a file as the request's body. */
  readonly upload: <T>(path: string, file: Blob) => Promise<T>;
  /** Returns the service's present UTC day, `YYYY-MM-DD`, from its latest reply. */
  readonly today: () => string;
  /** Returns the service's present time, ISO 8601, from its latest reply. */
  readonly now: () => string;
  readonly download: (path: string, query?: Query) => Promise<Blob>;
}

/**
 * Creates the methods that call the API with the person's token. All of them throw ApiError.
 * @param root of the API's paths, such as `/api/dashboard/v1`
 * @param tokenNow returns the present token, which changes when the person signs in again
 * @param onSignedOut called if the token is no longer valid: it expired, was revoked, or its account was deleted
 */
export function apiAt(root: string, tokenNow: () => string, onSignedOut: () => void): Api {
  let serviceTime = new Date();

  async function responseTo(method: string, path: string, body?: unknown): Promise<Response> {
    const token = tokenNow();
    try {
      const response = await requestTo(`${root}${path}`, { method, token, body });
      const date = response.headers.get('Date');
      if (date !== null) serviceTime = new Date(date);
      return response;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && token === tokenNow()) onSignedOut();
      throw error;
    }
  }
  const answer = async <T>(path: string, query: Query = {}) =>
    jsonOf<Answer<T>>(await responseTo('GET', withQuery(path, query)));

  return {
    answer,
    get: async <T>(path: string, query?: Query) => (await answer<T>(path, query)).data,
    send: async <T>(method: string, path: string, body: unknown = {}) =>
      (await jsonOf<Answer<T>>(await responseTo(method, path, body))).data,
    upload: async <T>(path: string, file: Blob) => (await jsonOf<Answer<T>>(await responseTo('PUT', path, file))).data,
    now: () => serviceTime.toISOString(),
    today: () => serviceTime.toISOString().slice(0, 10),
    download: async (path, query = {}) => (await responseTo('GET', withQuery(path, query))).blob(),
  };
}

interface RequestOptions {
  readonly method: string;
  readonly token?: string;
  /** The body: a file is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** Sends a request to the service. @throws ApiError for an error reply, and if there is no reply */
export async function requestTo(url: string, { method, token, body }: RequestOptions): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        'Content-Type': body instanceof Blob ? body.type || 'application/octet-stream' : 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && method !== 'GET' && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('The service could not be reached. Check your connection and try again.');
  }
  if (!response.ok) throw await apiErrorFrom(response);
  return response;
}

/** Parses the body of a reply. @throws ApiError if it is not JSON, for example because a proxy has replied */
export async function jsonOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError('The service gave an answer that cannot be read. Try again in a moment.', {
      status: response.status,
      requestId: response.headers.get('X-Request-ID') ?? undefined,
    });
  }
}

function withQuery(path: string, query: Query): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  // In a query, every parser reads `%20` as a space, but not every parser reads `+` as one.
  const search = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]))
    .toString()
    .replaceAll('+', '%20');
  return search === '' ? path : `${path}?${search}`;
}
