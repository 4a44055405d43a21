import type { Period } from '#lib/service/ground/values/performance.ts';
import { type FiguresWanted, sortings } from '#lib/service/reports/figures/ranking.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { chosenQuery } from '#lib/service/http/messages/query.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';

/** The period of figures from `from` and `to`; undefined = all-time, when the request has neither. @throws Refusal */
export const periodOfFigures = (sent: RequestInput, now: Date): Period | undefined =>
  sent.query.from === undefined && sent.query.to === undefined ? undefined : periodQuery(sent, now);

/** `from`, `to` and `sort` of a list whose rows have figures. @throws Refusal */
export const figuresQuery = (sent: RequestInput, now: Date): FiguresWanted => ({
  period: periodOfFigures(sent, now),
  sort: chosenQuery(sent, 'sort', sortings) ?? 'created',
});
