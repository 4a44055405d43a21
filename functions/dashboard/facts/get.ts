import { factTypes } from '#lib/domain/fact.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery, timeQuery } from '#lib/service/triggers/http/query.ts';
import { factReply } from '#lib/service/triggers/http/replies/fact.ts';
import { listFacts } from '#lib/service/use-cases/list-facts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'facts', ['id', 'type', 'since']),
    id: sent.query.id,
    type: chosenQuery(sent, 'type', factTypes),
    since: timeQuery(sent, 'since'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listFacts(deps, program.id, filter, page), factReply),
});
