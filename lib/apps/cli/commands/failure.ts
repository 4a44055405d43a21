import { RateLimitError, ReferralError } from '#lib/apps/client/errors/referral-error.ts';

/** Codes of failures that the command line tool detects itself. */
type LocalCode =
  | 'not_logged_in'
  | 'no_config'
  | 'already_configured'
  | 'missing_options'
  | 'invalid_event_type'
  | 'invalid_address'
  | 'invalid_secret'
  | 'network_error';

/** Why a command exits with 1. The message is shown in the terminal. */
export class Failure extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** What the person should do next, if the message does not say so. */
  readonly advice: string | undefined;

  constructor(
    message: string,
    facts: { code?: LocalCode | undefined; advice?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: facts.cause });
    const { cause } = facts;
    this.status = cause instanceof ReferralError ? cause.status : undefined;
    this.code = facts.code ?? (cause instanceof ReferralError ? cause.code : undefined);
    this.advice = facts.advice;
  }
}

/** Converts an error of the service to a failure. Adds advice, if the same advice is right for every command. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof RateLimitError && error.retryAfterSeconds !== undefined) {
    return new Failure(error.message, { cause: error, advice: `Wait ${spelledWait(error.retryAfterSeconds)}.` });
  }
  return new Failure(error instanceof Error ? error.message : String(error), { cause: error });
}

const spelledWait = (seconds: number) =>
  seconds < 120 ? `${seconds} seconds` : `${seconds} seconds (${Math.ceil(seconds / 60)} minutes)`;
