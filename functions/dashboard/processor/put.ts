import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { processorReply } from '#lib/service/triggers/http/replies/processor.ts';
import { signingSecretBody } from '#lib/service/triggers/http/requests/signing-secret.ts';
import { setSigningSecret } from '#lib/service/use-cases/processor-connection.ts';
import { seal } from '#lib/service/vault.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ json }) => signingSecretBody(json()),
  async run(deps, { program: { id } }, secret) {
    const connection = await setSigningSecret(deps, id, await seal(deps, secret, id));
    return processorReply(connection, deps.config);
  },
});
