import type { Reason } from '#lib/apps/client/errors/reasons.ts';

/** A warning in a reply, for example that the program key must be replaced. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The deadline by which the key must be replaced, ISO 8601. */
  readonly rotate_by?: string;
  readonly docs_url?: string;
}

/** Details of a failed call besides its message; undefined if the service did not send them. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly reason?: Reason | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  readonly cause?: unknown;
}

/** A failed call. The subclass says what you can do about it. No error contains the program key. */
export class ReferralError extends Error {
  override readonly name: string = 'ReferralError';
  /** HTTP status; undefined if there was no reply. */
  readonly status: number | undefined;
  /** The service's stable code, such as `no_attribution`. Decide by this code rather than by the message. */
  readonly code: string | undefined;
  /**
   * Why the call failed, as a stable word. It is set even for errors without a code; undefined for undocumented errors.
   */
  readonly reason: Reason | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Include this id when you contact support. */
  readonly requestId: string | undefined;
  readonly warnings: readonly Warning[];

  constructor(
    message: string,
    { status, code, reason, details = {}, requestId, warnings = [], cause }: ErrorFacts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.requestId = requestId;
    this.warnings = warnings;
  }
}

/** 401: the program key is missing, unknown or replaced. All calls fail until you change the key. */
export class AuthenticationError extends ReferralError {
  override readonly name: string = 'AuthenticationError';
}

/** 401: the key was not replaced by its deadline, and is no longer valid. A workspace owner must generate a new one. */
export class KeyRotationRequiredError extends AuthenticationError {
  override readonly name: string = 'KeyRotationRequiredError';
  readonly hint: string | undefined;
  readonly docsUrl: string | undefined;

  constructor(message: string, facts: ErrorFacts & { readonly hint?: string; readonly docsUrl?: string }) {
    super(message, facts);
    this.hint = facts.hint;
    this.docsUrl = facts.docsUrl;
  }
}

/** 400, 403, 404, 410, 422: the same call would be rejected again. */
export class ValidationError extends ReferralError {
  override readonly name: string = 'ValidationError';
}

/** 429: nothing was recorded. The call may be sent again after the wait. */
export class RateLimitError extends ReferralError {
  override readonly name: string = 'RateLimitError';
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: ErrorFacts & { readonly retryAfterSeconds?: number | undefined }) {
    super(message, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 500 and above: the service failed. It may or may not have recorded the call. */
export class ServerError extends ReferralError {
  override readonly name: string = 'ServerError';
}

/** No reply: the connection failed or the call timed out. The service may or may not have recorded the call. */
export class NetworkError extends ReferralError {
  override readonly name: string = 'NetworkError';
}
