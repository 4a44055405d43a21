/** Changes that another person made after this one loaded the values. */
export interface Conflict {
  /** Current values of the changed fields. */
  readonly changed: Readonly<Record<string, unknown>>;
  readonly by: { readonly name: string } | null;
  /** Time of the last change, ISO 8601. */
  readonly at: string | null;
}

interface ErrorFacts {
  readonly status?: number;
  /** The stable code, or the code inside `details`. */
  readonly code?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly conflict?: Conflict;
}

/** A failed call. Its message is shown to the person. */
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

  /** Whether the person's sign-in is too old for this action. */
  get needsSignIn(): boolean {
    return this.status === 403 && this.message.startsWith('Sign in again ');
  }

  /** Whether the same request may succeed later, or after signing in again. */
  get isRetryable(): boolean {
    const { status } = this;
    return status === undefined || status < 400 || status === 401 || status === 429 || status >= 500;
  }
}

/** The two error envelopes: `code` is in `error` or in `error.details`. */
interface Envelope {
  readonly error?: {
    readonly message?: string;
    readonly code?: string;
    readonly details?: { readonly code?: string } & Partial<Conflict>;
    readonly retry_after_seconds?: number;
  };
}

/** The error of an unsuccessful reply. */
export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('X-Request-ID') ?? undefined;
  const { error = {} } = (await response.json().catch((): Envelope => ({}))) as Envelope;
  // The request id is shown with the message.
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

/** Converts any thrown value to an error that can be shown. */
export const errorFrom = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('Something went wrong on this page. Load it again.');
