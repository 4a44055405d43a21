import { Body } from '#lib/service/http/callers/account-endpoint.ts';
import { type ListQuery, pageBody } from '#lib/service/http/messages/paging.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import type { FactPage } from '#lib/service/outbox/facts/list-facts.ts';
import type * as wire from '#lib/wire/outbox/fact.ts';

export function factPageBody(query: ListQuery, page: FactPage): Body<wire.FactRows> {
  const { data, meta } = pageBody(query, page, factRow).whole;
  return new Body({ data, meta: { ...meta, since: page.since } });
}

const factRow = ({ id, type, timestamp, data }: Fact): wire.FactRow => ({ id, type, timestamp, data });
