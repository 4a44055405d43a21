/** What another person changed, if a change is refused because the person here had not seen it. */
export interface Conflict {
  /** Present values of the fields that the other person changed. */
  readonly changed: Readonly<Record<string, unknown>>;
  readonly by: { readonly name: string } | null;
  /** When the other person made the change, ISO 8601. */
  readonly at: string | null;
}

interface ErrorFacts {
  readonly status?: number;
  /** The service's stable code. In some replies it is inside `details`. */
  readonly code?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly conflict?: Conflict;
}

/** The error of a failed call. Pages show its message to the person. */
export class ApiError extends Error {
  /** The HTTP status; undefined if there was no reply. */
  readonly status?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly conflict?: Conflict;

  constructor(message: string, { status, code, requestId, retryAfterSeconds, conflict }: ErrorFacts = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.conflict = conflict;
  }

  /** Whether the action needs a more recent sign-in. */
  get needsSignIn(): boolean {
    return this.status === 403 && this.message.startsWith('Sign in again ');
  }

  /** Whether the same request may succeed later, or after the person has signed in again. */
  get isRetryable(): boolean {
    const { status } = this;
    return status === undefined || status < 400 || status === 401 || status === 429 || status >= 500;
  }
}

/** Both formats of error replies: the code is in `error` or in `error.details`. */
interface Envelope {
  readonly error?: {
    readonly message?: string;
    readonly code?: string;
    readonly details?: { readonly code?: string } & Partial<Conflict>;
    readonly retry_after_seconds?: number;
  };
}

/** Converts an error reply to an error. */
export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('X-Request-ID') ?? undefined;
  const { error = {} } = (await response.json().catch((): Envelope => ({}))) as Envelope;
  // The request id is part of the error, because pages show it with the message.
  const { changed, by = null, at = null } = error.details ?? {};
  const message = error.message?.replace(/ \(request_id: \w+\)$/, '') ?? `The service answered ${response.status}.`;
  return new ApiError(message, {
    status: response.status,
    code: error.code ?? error.details?.code,
    requestId,
    retryAfterSeconds: error.retry_after_seconds,
    conflict: changed && { changed, by, at },
  });
}

/** Converts anything that was thrown to an error that a page can show. */
export const errorFrom = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('Something went wrong on this page. Load it again.');
