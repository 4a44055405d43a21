/** Timeouts of functions in seconds, on AWS and in the local run. */
export const functionTimeoutSeconds = {
  /**
   * With both, a function replies before API Gateway's limit of 30 seconds. `usual` is enough for the SDK's three
   * attempts of two seconds each.
   */
  usual: 10,
  heavy: 29,
  /** The sender of webhooks may wait 15 seconds for a brand's endpoint. No client waits for the sender. */
  sending: 60,
  /** For recounting the events of large programs. This is the longest timeout that Lambda allows. */
  long: 900,
};
