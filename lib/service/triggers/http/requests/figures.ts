import { type FiguresWanted, sortings } from '#lib/domain/ranking.ts';
import type { RequestInput } from '#lib/service/triggers/http/account-endpoint.ts';
import { chosenQuery } from '#lib/service/triggers/http/query.ts';
import { periodQuery } from '#lib/service/triggers/http/requests/performance.ts';

/** `from`, `to` and `sort` of a list whose rows have figures. @throws Refusal */
export function figuresQuery(sent: RequestInput, now: Date): FiguresWanted {
  const isOfPeriod = sent.query.from !== undefined || sent.query.to !== undefined;
  return {
    period: isOfPeriod ? periodQuery(sent, now) : undefined,
    sort: chosenQuery(sent, 'sort', sortings) ?? 'created',
  };
}
