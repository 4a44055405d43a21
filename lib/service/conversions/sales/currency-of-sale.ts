import { type Currencies, type Currency } from '#lib/service/ground/values/currency.ts';
import { currencyUnsupported } from '#lib/service/ground/values/refusals.ts';

/**
 * The currency of a sale that the brand's server sent: the program's where none was.
 * @throws Refusal that echoes one that the installation does not take
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
