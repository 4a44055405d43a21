import type { Option } from '#lib/apps/web/parts/forms/option.ts';

/**
 * The currencies that a person can select.
 * @param currencies of the installation
 * @param held the present currency, which the installation may no longer allow
 */
export const currencyOptions = (currencies: readonly string[], held?: string): readonly Option[] =>
  [...new Set([...currencies, ...(held === undefined ? [] : [held])])].map((currency): Option => [currency, currency]);
