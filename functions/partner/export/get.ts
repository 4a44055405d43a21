import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { exportedPersonReply } from '#lib/service/triggers/http/replies/portal-export.ts';
import { exportPerson } from '#lib/service/use-cases/export-person.ts';
import { tellOfExport } from '#lib/service/use-cases/tell-of-export.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  async run(deps, { account }) {
    const exported = await exportPerson(deps, account);
    await tellOfExport(deps, account);
    return exportedPersonReply(exported);
  },
});
