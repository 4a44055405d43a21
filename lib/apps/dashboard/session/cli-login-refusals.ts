import { ApiError, errorFrom } from '#lib/apps/web/api/api-error.ts';

const AGAIN = 'Run `affitor login` again and open the new address.';

/** Explains each refusal of a login of the command line to the person who signs in. */
const texts: Readonly<Record<string, string>> = {
  'Session not found or already used': `This request is unknown, or it was used before. ${AGAIN}`,
  'Session expired': `This request is older than five minutes. ${AGAIN}`,
  'Invalid or expired id_token': `Your sign-in was not accepted, perhaps because it is too old. ${AGAIN}`,
  'Your account has been suspended.': 'Your account has been suspended. Ask the operator of this service.',
};

export function refusalOf(cause: unknown): ApiError {
  const error = errorFrom(cause);
  const text = texts[error.message];
  return text === undefined ? error : new ApiError(text, error);
}
