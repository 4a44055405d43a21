import type { InvitationAnswer } from '#lib/service/programs/invitations/invite-people.ts';
import type { Invited } from '#lib/wire/partners/invited.ts';

/** The result for one of several invitations. @param textOf returns the text that is shown for an error */
export const invitedReply = (
  { email, status, partnerId, error }: InvitationAnswer,
  textOf: (error: unknown) => string,
): Invited => ({
  email,
  status,
  partner_id: partnerId ?? null,
  error: error === undefined ? null : textOf(error),
});
