import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { exportedPersonReply } from '#lib/service/triggers/http/replies/portal-export.ts';
import { exportPerson } from '#lib/service/use-cases/export-person.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => exportedPersonReply(await exportPerson(deps, account)),
});
