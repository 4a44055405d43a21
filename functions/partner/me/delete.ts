import { emailOf } from '#lib/service/ground/addresses/email.ts';
import { confirmationWrong } from '#lib/service/ground/values/refusals.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { closeAccount } from '#lib/service/programs/closing/close-account.ts';

/** The request must contain the person's e-mail address, so that no account is closed by a single click. */
export const handler = partnerEndpoint({
  needs: 'account',
  recentSignIn: true,
  input: ({ json }) => json().confirm,
  async run(deps, { account }, confirm) {
    if (typeof confirm !== 'string' || emailOf(confirm) !== account.email) throw confirmationWrong();
    await closeAccount(deps, account.id);
    return { closed: true };
  },
});
