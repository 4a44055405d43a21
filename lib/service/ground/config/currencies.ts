import { type Currencies, currencyCode, isCurrency, MOST_CURRENCIES } from '#lib/service/ground/values/currency.ts';

/** The currencies of an installation, parsed from a text such as `USD,EUR,VND`. */
export const currencyCodes = (text: string): Currencies => text.split(',').map(currencyCode) as [string, ...string[]];

/** An error message for an invalid list of currencies; undefined if it is valid. */
export function currenciesProblem(text: string): string | undefined {
  if (text.trim() === '') return 'must name at least one currency, such as USD,EUR';
  const codes = currencyCodes(text);
  const unknown = codes.find((code) => !isCurrency(code));
  if (unknown !== undefined) {
    return `must be ISO 4217 codes with at most three decimals, separated by commas, not "${unknown}"`;
  }
  const repeated = codes.find((code, at) => codes.indexOf(code) !== at);
  if (repeated !== undefined) return `must name each currency once, not "${repeated}" twice`;
  if (codes.length > MOST_CURRENCIES) return `must name at most ${MOST_CURRENCIES} currencies, not ${codes.length}`;
  return undefined;
}
