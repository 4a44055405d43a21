import type { Config } from '#lib/service/ground/config/config.ts';
import { type Currency, isCurrency } from '#lib/service/ground/values/currency.ts';
import { type Period, periodBefore } from '#lib/service/ground/values/performance.ts';
import { compareIncomplete, notOneOf } from '#lib/service/ground/values/refusals.ts';
import { comparisons, type FiguresWanted, sortings } from '#lib/service/reports/figures/ranking.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { chosenQuery } from '#lib/service/http/messages/query.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';

/**
 * The period of figures from `from` and `to`. If the request has neither, it is undefined, which means all time.
 * @throws Refusal
 */
export const periodOfFigures = (sent: RequestInput, now: Date): Period | undefined =>
  sent.query.from === undefined && sent.query.to === undefined ? undefined : periodQuery(sent, now);

/** Names of the query parameters of a list whose rows show figures. */
export const figuresParameters = ['from', 'to', 'sort', 'currency', 'compare'] as const;

/** Reads the query parameters of a list whose rows show figures. @throws Refusal */
export function figuresQuery(sent: RequestInput, now: Date, { currencies }: Pick<Config, 'currencies'>): FiguresWanted {
  const period = periodOfFigures(sent, now);
  const sort = chosenQuery(sent, 'sort', sortings) ?? 'created';
  const currency = currencyQuery(sent, currencies);
  if (chosenQuery(sent, 'compare', comparisons) === undefined) return { period, sort, currency };
  const { from, to } = sent.query;
  if (!period || from === undefined || to === undefined || sort === 'created') throw compareIncomplete();
  return { period, sort, currency, before: periodBefore(period) };
}

/**
 * The currency of figures. Any currency is accepted, because there may be amounts in currencies that the installation
 * no longer accepts.
 * @throws Refusal
 */
function currencyQuery({ query: { currency } }: RequestInput, accepted: Config['currencies']): Currency | undefined {
  if (currency !== undefined && !isCurrency(currency)) throw notOneOf('currency', currency, accepted);
  return currency;
}
