import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { portalProgramReply } from '#lib/service/triggers/http/replies/portal.ts';
import { noteOwnersView } from '#lib/service/use-cases/note-owners-view.ts';
import { programOfPartner } from '#lib/service/use-cases/program-of-partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  async run(deps, caller) {
    const { account, program, partner, isOwnersView } = caller;
    if (isOwnersView) await noteOwnersView(deps, account.id, program, partner);
    return portalProgramReply(await programOfPartner(deps, caller));
  },
});
