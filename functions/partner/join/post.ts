import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { countedOrRefused } from '#lib/service/http/clients/rate-limit.ts';
import { joinedReply } from '#lib/service/http/partners/portal-reply.ts';
import { joinProgram } from '#lib/service/programs/joining/join-program.ts';
import { JoinRequest } from '#lib/wire/partners/portal-request.ts';

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
