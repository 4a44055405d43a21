/** Of each attempt at a call to AWS: given up early, so that the next attempt still answers in the function's time. */
export const timeouts = { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true };
