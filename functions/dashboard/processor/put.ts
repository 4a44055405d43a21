import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { processorReply } from '#lib/service/http/conversions/processor-reply.ts';
import { setSigningSecret } from '#lib/service/conversions/processors/processor-connection.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';
import { SigningSecret } from '#lib/wire/outbox/signing-secret-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  input: ({ json }) => parseCompleteBody(SigningSecret, json()).signing_secret,
  async run(deps, { program: { id: programId } }, secret) {
    const connection = await setSigningSecret(deps, programId, await seal(deps, secret, { programId }));
    return processorReply(connection, deps.config);
  },
});
