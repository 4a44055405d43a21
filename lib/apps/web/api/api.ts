import { ApiError, apiErrorFrom } from '#lib/apps/web/api/api-error.ts';
import type { OwnersWarnings } from '#lib/wire/programs/rotation.ts';

/** A success reply of the service. */
export interface Answer<T> {
  readonly data: T;
  readonly meta?: {
    readonly next_cursor: string | null;
    /** Length of the whole list; a sorted list contains at most the 10,000 oldest rows. */
    readonly sorted_of?: number;
  };
  readonly warnings?: OwnersWarnings;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Api {
  /** Returns the whole reply, for lists and for fields next to the data. */
  readonly answer: <T>(path: string, query?: Query) => Promise<Answer<T>>;
  readonly get: <T>(path: string, query?: Query) => Promise<T>;
  readonly send: <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** Sends a file as the body. */
  readonly upload: <T>(path: string, file: Blob) => Promise<T>;
  /** The service's current UTC day, `YYYY-MM-DD`, from its latest reply. */
  readonly today: () => string;
  /** The service's current time, ISO 8601, from its latest reply. */
  readonly now: () => string;
  readonly download: (path: string, query?: Query) => Promise<Blob>;
}

/**
 * The API with the person's token. Every method throws ApiError.
 * @param root of its paths, such as `/api/dashboard/v1`
 * @param tokenNow returns the current token, which changes after signing in again
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
  /** A file is sent as it is, everything else as JSON. */
  readonly body?: unknown;
}

/** Sends a request to the service. @throws ApiError if there is no reply, or an error reply */
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

/** The JSON body of a reply. @throws ApiError if the reply is not from the service */
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
  // `%20` means a space to every parser of a query; `+` does not.
  const search = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]))
    .toString()
    .replaceAll('+', '%20');
  return search === '' ? path : `${path}?${search}`;
}
