import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { payerReply } from '#lib/service/http/people/payer-reply.ts';
import { payerChange } from '#lib/service/http/people/payer-request.ts';
import { changePayer } from '#lib/service/people/workspaces/change-payer.ts';
import { readablePayerFields } from '#lib/wire/words/party-request.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ json }) => ({ change: payerChange(json()), seen: seenIn(json(), readablePayerFields) }),
  run: async (deps, { workspace }, { change, seen }) =>
    payerReply(await changePayer(deps, workspace, change, comparedWith(seen, payerReply))),
});
