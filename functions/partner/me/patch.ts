import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { setMailWish } from '#lib/service/use-cases/set-mail-wish.ts';
import { MailChoice } from '#lib/wire/requests/portal.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ json }) => parseCompleteBody(MailChoice, json()).mail,
  async run(deps, { account }, mail) {
    await setMailWish(deps, { email: account.email, accountId: account.id }, mail);
    return { mail };
  },
});
