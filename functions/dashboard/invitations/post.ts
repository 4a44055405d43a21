import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { invitationLine } from '#lib/service/http/partners/invitations-request.ts';
import { invitedReply } from '#lib/service/http/partners/invited-reply.ts';
import { invitePeople } from '#lib/service/programs/invitations/invite-people.ts';
import { Invitations } from '#lib/wire/partners/invitations-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(Invitations, json()),
  async run(deps, { program, role }, { invitations, preview = false }, _, textOf) {
    const lines = invitations.map((sent) => invitationLine(sent, role));
    const answers = await invitePeople(deps, program.id, lines, preview);
    return answers.map((answer) => invitedReply(answer, textOf));
  },
});
