import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageRequest } from '#lib/service/http/messages/paging.ts';
import { chosenQuery, timeQuery } from '#lib/service/http/messages/query.ts';
import { factPageBody } from '#lib/service/http/outbox/fact-reply.ts';
import { listFacts } from '#lib/service/outbox/facts/list-facts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'facts', ['id', 'type', 'since']),
    id: sent.query.id,
    type: chosenQuery(sent, 'type', factTypes),
    since: timeQuery(sent, 'since'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    factPageBody(page, await listFacts(deps, program, filter, page)),
});
