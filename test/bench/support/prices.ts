/** US dollars per million, us-east-1: DynamoDB on demand since November 2024, HTTP API, Lambda on ARM. */
export const prices = { read: 0.125, write: 0.625, gateway: 1, invocation: 0.2, gigabyteSecond: 13.33 };

/** For a million of what takes so many units of the table. */
export const usdPerMillion = ({ read, write }: { readonly read: number; readonly write: number }): number =>
  read * prices.read + write * prices.write;
