/** Timeouts of functions in seconds, on AWS and in the local run. */
export const functionTimeoutSeconds = {
  /**
   * Long enough for the SDK's three attempts of two seconds, and short enough to reply before API Gateway's 30 seconds.
   */
  usual: 10,
  heavy: 29,
  /** It waits for the endpoints of brands, at most 15 seconds each, and no client waits for it. */
  sending: 60,
};
