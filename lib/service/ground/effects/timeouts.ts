/** Timeouts of each attempt at an AWS call: short, so that a retry still completes within the function's timeout. */
export const timeouts = { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true };
