import { type Currencies, type Currency } from '#lib/service/ground/values/currency.ts';
import { currencyUnsupported } from '#lib/service/ground/values/refusals.ts';

/**
 * The currency of a sale sent by the brand's server, by default the program's.
 * @throws Refusal with the sent currency if the installation does not support it
 */
export function currencyOfSale(
  sent: string | undefined,
  program: { readonly currency: Currency },
  taken: Currencies,
): Currency {
  const currency = sent ?? program.currency;
  if (!taken.includes(currency)) throw currencyUnsupported(currency.slice(0, 20).toWellFormed());
  return currency;
}
