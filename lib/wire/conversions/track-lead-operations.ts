import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { about, flag, text } from '#lib/wire/words/fields.ts';
import { ProvisionalLead, SettledLead, TestLead } from '#lib/wire/conversions/lead.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import {
  additional,
  base,
  customerKey,
  optional,
  sentClickId,
  testMode,
} from '#lib/wire/traffic/tracking-operations.ts';

// A missing key is not an error, because a browser may send a lead too.
const lead: Family = {
  ...base,
  security: ['programKey', 'anonymous'],
  refusals: [refusals.unauthorized(refusals.programKeyTexts.unknown)],
  cors: true,
};

const Lead = z.object({
  click_id: optional(sentClickId),
  customer_key: optional(customerKey),
  email: about("The customer's e-mail address. The service stores only a hash and a mask of it.", optional(text)),
  email_verified: about(
    'Only for leads with a program key. `false` means that you have not yet verified that the address belongs to this person: payments are then not matched by the address, but fraud rules still check it. Any value except `true` and null counts as `false`.',
    optional(flag),
  ),
  event_name: optional(text),
  program_id: optional(testMode.program_id),
  click_ids: about('Further click ids, stored for audits only. At most 20 are stored.', optional(z.array(text))),
  page_url: optional(text),
  session_id: optional(text),
  additional_data: optional(additional({ event_name: z.optional(text) })),
});

export const leadRoutes = {
  'track/lead': operation(lead, {
    id: 'trackLead',
    warnsOn: [400],
    summary: 'Record a signup',
    description:
      'A lead with a program key is settled at once. A lead without one comes from a browser: it stays provisional until the server confirms it, unless the program accepts browser leads. Outside test mode, `click_id` or `customer_key` is required; send both if you can. If the request has a program key, a field whose name resembles a known one is refused.',
    links: { trackSale: { customer_key: '$request.body#/customer_key' } },
    body: Lead,
    ok: [SettledLead, ProvisionalLead, TestLead],
    refusals: [
      ...bodyRefusals,
      refusals.unknownField(ANY_TEXT, ANY_TEXT),
      refusals.leadIdentifierMissing(),
      refusals.leadCustomerNotFound(),
      refusals.leadCustomerOfOtherProgram(),
      ...['lead', 'conversion'].map(refusals.leadStatusRefused),
      refusals.programMismatch(),
    ],
    failures: ['Lead tracking failed'],
  }),
} satisfies Readonly<Record<string, Operation>>;
