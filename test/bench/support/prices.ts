/**
 * Prices in US dollars per million, in us-east-1: DynamoDB on demand since November 2024, HTTP API, Lambda on ARM, and
 * SQS.
 */
export const prices = {
  read: 0.125,
  write: 0.625,
  gateway: 1,
  invocation: 0.2,
  gigabyteSecond: 13.33,
  queueRequest: 0.4,
};

/** Converts the table units of one operation to the price of a million such operations, in US dollars. */
export const usdPerMillion = ({ read, write }: { readonly read: number; readonly write: number }): number =>
  read * prices.read + write * prices.write;

/** What a million runs of a function cost, in US dollars. */
export const perMillion = (gigabyteSeconds: number): number =>
  prices.invocation + gigabyteSeconds * prices.gigabyteSecond;
