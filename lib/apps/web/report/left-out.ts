import { moneyText } from '#lib/apps/web/format.ts';

/** The amounts in other currencies than the one shown: `+ €762.00 - £3.00`; empty if there are none. */
export const leftOutText = (amounts: Readonly<Record<string, number>>, shown: string): string =>
  Object.keys(amounts)
    .toSorted()
    .filter((currency) => currency !== shown && amounts[currency] !== 0)
    .map((currency) => `${amounts[currency]! < 0 ? '-' : '+'} ${moneyText(Math.abs(amounts[currency]!), currency)}`)
    .join(' ');
