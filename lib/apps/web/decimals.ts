/**
 * Currencies that do not have two decimals. The list repeats the service's table, which is not part of the dashboard's
 * code; a test compares the two. `Intl` has other numbers for some currencies.
 */
const unusual: ReadonlyMap<string, number> = new Map([
  ...listed(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...listed(3, 'BHD IQD JOD KWD LYD OMR TND'),
]);

function listed(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals]);
}

export const decimalsOf = (currency: string): number => unusual.get(currency) ?? 2;
