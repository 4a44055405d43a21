import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { processorReply } from '#lib/service/triggers/http/replies/processor.ts';
import { setSigningSecret } from '#lib/service/use-cases/processor-connection.ts';
import { seal } from '#lib/service/vault.ts';
import { SigningSecret } from '#lib/wire/requests/signing-secret.ts';

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
