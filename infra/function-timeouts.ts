/** Timeouts of functions in seconds, on AWS and in the local run. */
export const functionTimeoutSeconds = {
  /**
   * Time for the SDK's three attempts of two seconds, but short enough to reply before API Gateway's limit of 30
   * seconds.
   */
  usual: 10,
  heavy: 29,
  /** The sender of webhooks waits at most 15 seconds for each brand's endpoint, and no client waits for the sender. */
  sending: 60,
  /** Recounts the events of large programs; the most that Lambda allows. */
  long: 900,
};
