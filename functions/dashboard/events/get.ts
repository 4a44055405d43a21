import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { chosenQuery, flagQuery, idQuery, rangeQuery } from '#lib/service/http/messages/query.ts';
import { eventReply } from '#lib/service/http/reports/event-reply.ts';
import { eventTypes, listEvents } from '#lib/service/reports/lists/list-events.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    type: chosenQuery(sent, 'type', eventTypes),
    ...rangeQuery(sent),
    withTests: flagQuery(sent, 'include_test'),
    partnerId: idQuery(sent, 'partner_id'),
    shortLink: sent.query.short_link,
    page: pageRequest(sent, 'events', ['type', 'from', 'to', 'include_test', 'partner_id', 'short_link']),
  }),
  run: async (deps, { program }, { page, ...query }) =>
    pageBody(page, await listEvents(deps, program.id, query, page), eventReply),
});
