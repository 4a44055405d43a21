import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { exportedPersonReply } from '#lib/service/http/reports/portal-export-reply.ts';
import { exportPerson } from '#lib/service/reports/exports/export-person.ts';
import { notifyOfExport } from '#lib/service/reports/exports/notify-of-export.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ query }) => query['as'] !== undefined,
  async run(deps, { account }, isView) {
    const exported = await exportPerson(deps, account);
    await notifyOfExport(deps, account);
    return exportedPersonReply(exported, isView);
  },
});
