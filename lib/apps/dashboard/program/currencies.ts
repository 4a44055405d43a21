import type { Option } from '#lib/apps/web/parts/forms/option.ts';

/**
 * The currencies to choose from.
 * @param currencies of the installation @param held the current choice, which the installation may no longer accept
 */
export const currencyOptions = (currencies: readonly string[], held?: string): readonly Option[] =>
  [...new Set([...currencies, ...(held === undefined ? [] : [held])])].map((currency): Option => [currency, currency]);
