/**
 * Currencies whose number of decimals is not two. This repeats the service's table, because pages do not contain the
 * service's code; a test compares the two tables. `Intl` cannot be used: its numbers differ for some currencies.
 */
const unusual: ReadonlyMap<string, number> = new Map([
  ...listed(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...listed(3, 'BHD IQD JOD KWD LYD OMR TND'),
]);

function listed(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals]);
}

export const decimalsOf = (currency: string): number => unusual.get(currency) ?? 2;
