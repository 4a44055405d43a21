/** How long a function may take, on AWS and in the local run. */
export const functionTimeoutSeconds = {
  /** Long enough for the SDK's three attempts of two seconds, short enough to answer before the gateway's 30 seconds. */
  usual: 10,
  heavy: 29,
  /** It waits for the endpoints of brands, 15 seconds each at most, and nobody waits for it. */
  sending: 60,
};
