import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { ownerOnly } from '#lib/service/ground/values/refusals.ts';
import type { MemberRole } from '#lib/service/people/workspaces/workspace.ts';
import { parseCompleteBody, withoutNulls } from '#lib/service/http/messages/body.ts';
import { sentGroup, wishesIn } from '#lib/service/http/partners/partner-request.ts';
import type { InvitationLine } from '#lib/service/programs/invitations/invite-people.ts';
import { NewPartner } from '#lib/wire/partners/partner-request.ts';

/**
 * One line of a list of invitations. Its fields are checked only when it is that line's turn, because each line may be
 * refused separately.
 */
export function invitationLine(sent: object, role: MemberRole): InvitationLine {
  const json = withoutNulls(sent);
  const text = typeof json.email === 'string' ? json.email : '';
  return {
    email: addressOf(text) ?? text,
    read() {
      const person = parseCompleteBody(NewPartner, json);
      const wishes = wishesIn(json);
      // Only owners may choose a group, because the group's terms determine the commission.
      if (json.group !== undefined && role !== 'owner') throw ownerOnly();
      return { ...person, ...wishes, group: sentGroup(json.group) };
    },
  };
}
