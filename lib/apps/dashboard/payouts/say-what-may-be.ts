import { ApiError, errorFrom } from '#lib/apps/web/api/api-error.ts';

/**
 * Throws an error that explains why recording a payout failed. If no reply arrived, or only an error of API Gateway,
 * the error says that the payout may have been recorded.
 */
export function explainFailedPayout(cause: unknown): never {
  const error = errorFrom(cause);
  if (error.status === 409) {
    throw new ApiError(
      `${error.message.replace(/\.$/, '')}. Someone else may have recorded it a moment ago: look at the list of payouts.`,
      error,
    );
  }
  if (error.status !== undefined && error.status < 500) throw error;
  throw new ApiError(
    `${error.message} The payout may have been recorded nevertheless: look at the list of payouts before you send money. ` +
      'Paying out again finishes one that was interrupted, and pays no commission twice.',
    error,
  );
}
