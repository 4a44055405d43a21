import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { rulesPreviewReply } from '#lib/service/http/programs/rules-preview-reply.ts';
import { previewRules } from '#lib/service/reports/stories/preview-rules.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => rulesPreviewReply(await previewRules(deps, program)),
});
