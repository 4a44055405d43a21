import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { setPartnerMail } from '#lib/service/use-cases/set-partner-mail.ts';
import { MailChoice } from '#lib/wire/requests/portal.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ json }) => parseCompleteBody(MailChoice, json()).mail,
  async run(deps, { account }, mail) {
    await setPartnerMail(deps, account, mail);
    return { mail };
  },
});
