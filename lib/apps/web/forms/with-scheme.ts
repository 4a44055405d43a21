/** Adds `https://` to an address, which most people leave out. An empty text stays empty. */
export const withScheme = (address: string): string =>
  address === '' || /^\w+:\/\//.test(address) ? address : `https://${address}`;
