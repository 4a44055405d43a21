import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { rulesPreviewReply } from '#lib/service/triggers/http/replies/rules-preview.ts';
import { previewRules } from '#lib/service/use-cases/preview-rules.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => rulesPreviewReply(await previewRules(deps, program)),
});
