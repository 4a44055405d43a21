import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { setMailPreference } from '#lib/service/programs/partners/set-mail-preference.ts';
import { MailChoice } from '#lib/wire/partners/portal-request.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ json }) => parseCompleteBody(MailChoice, json()).mail,
  async run(deps, { account }, mail) {
    await setMailPreference(deps, { email: account.email, accountId: account.id }, mail);
    return { mail };
  },
});
