import * as z from 'zod/mini';
import { about, named, optionalId, optionalText, text } from '#lib/wire/words/fields.ts';

export const Invited = named(
  'Invited',
  z.strictObject({
    email: about('The address, in lower case; as it was sent if it is none.', text),
    status: about('`ready`, in a preview: the invitation would be sent.', z.enum(['invited', 'ready', 'refused'])),
    partner_id: about('Null in a preview, and for a refused invitation.', optionalId),
    error: about('Null, or why the invitation is refused.', optionalText),
  }),
  'The result for one of the invitations in the request.',
);
export type Invited = z.output<typeof Invited>;
