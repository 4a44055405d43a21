/** US dollars per million, us-east-1: DynamoDB on demand since November 2024, HTTP API, Lambda on ARM, SQS. */
export const prices = {
  read: 0.125,
  write: 0.625,
  gateway: 1,
  invocation: 0.2,
  gigabyteSecond: 13.33,
  queueRequest: 0.4,
};

/** The price of a million operations with this many table units, in US dollars. */
export const usdPerMillion = ({ read, write }: { readonly read: number; readonly write: number }): number =>
  read * prices.read + write * prices.write;

/** The price of a million runs of a function, in US dollars. */
export const perMillion = (gigabyteSeconds: number): number =>
  prices.invocation + gigabyteSeconds * prices.gigabyteSecond;
