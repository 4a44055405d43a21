import { numericIdOf } from '#lib/domain/identifier.ts';
import { rateLimits } from '#lib/domain/rate-limits.ts';
import { programNotFound } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { countedOrRefused } from '#lib/service/triggers/http/rate-limit.ts';
import { joinedReply } from '#lib/service/triggers/http/replies/portal.ts';
import { joinProgram } from '#lib/service/use-cases/join-program.ts';
import { JoinRequest } from '#lib/wire/requests/portal.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  async subject(deps, { account }, { program_id: sent }) {
    await countedOrRefused(deps, rateLimits.join, `account:${account.id}`);
    const programId = numericIdOf(sent);
    if (programId === undefined) throw programNotFound();
    return programId;
  },
  input({ json, device, wholeAddress }) {
    const body = json();
    const network = async () => (await device()).address ?? wholeAddress();
    return { ...parseBody(JoinRequest, body), termsVersion: body.terms_version, network };
  },
  run: async (deps, { account }, sent, programId) => joinedReply(await joinProgram(deps, account, programId, sent)),
});
