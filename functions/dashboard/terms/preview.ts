import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { programTermsChange } from '#lib/service/http/programs/program-request.ts';
import { termsPreviewReply } from '#lib/service/http/programs/terms-reply.ts';
import { previewTerms } from '#lib/service/programs/changed-terms/preview-terms.ts';
import { TERMS_FIELDS } from '#lib/wire/programs/terms-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields: TERMS_FIELDS,
  input: ({ json }) => json(),
  run: async (deps, { program }, json) =>
    termsPreviewReply(
      await previewTerms(deps, program.id, (present) => programTermsChange(json, deps.config.currencies, present)),
    ),
});
