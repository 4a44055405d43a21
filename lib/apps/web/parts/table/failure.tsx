import type { ApiError } from '#lib/apps/web/api/api-error.ts';
import { SignInAgain } from '#lib/apps/web/parts/frame/sign-in-again.tsx';

interface FailureProps {
  readonly error: ApiError;
  readonly onRetry?: () => void;
  /** What the button loads again, if several parts of the page could have failed. */
  readonly what?: string;
}

/** Shows an error, with the request id by which support finds the request. */
export function Failure({ error, onRetry, what }: FailureProps) {
  if (error.needsSignIn) return <SignInAgain />;
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      {error.requestId && (
        <p class="request-id">
          Request ID <code>{error.requestId}</code>
        </p>
      )}
      {onRetry && error.isRetryable && (
        <button
          type="button"
          class="button"
          aria-label={what === undefined ? undefined : `Try again: ${what}`}
          onClick={onRetry}
        >
          Try again
        </button>
      )}
    </div>
  );
}
