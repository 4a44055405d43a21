import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { RecordedClick, TestClick } from '#lib/wire/traffic/click.ts';
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

// A missing key is not an error for click and lead, because such requests come from browsers.
const click: Family = { ...base, security: ['anonymous', 'programKey'], refusals: [], cors: true };
const lead: Family = {
  ...base,

  security: ['programKey', 'anonymous'],
  refusals: [refusals.unauthorized(refusals.programKeyTexts.unknown)],
  cors: true,
};

const Click = z.object({
  affiliate_url: about('The landing URL with its `aff` parameter. Only test mode goes without.', z.optional(text)),
  existing_click_id: about('Of an earlier click: the first partner keeps the customer.', optional(text)),
  click_id: about('Another name of `existing_click_id`.', optional(text)),
  page_url: optional(text),
  page_title: optional(text),
  referrer_url: optional(text),
  session_id: optional(text),
  user_agent: about(
    "The visitor's, where a server reports the click: by it bots, previews and repeats are told apart. Absent, the header " +
      'is stored, but it decides only where the request has an `Origin`, as those of pages do.',
    optional(text),
  ),
  screen_resolution: optional(text),
  viewport_size: optional(text),
  language: optional(text),
  timezone: optional(text),
  program_id: optional(testMode.program_id),
  additional_data: optional(additional({})),
});

const Lead = z.object({
  click_id: optional(sentClickId),
  customer_key: optional(customerKey),
  email: about('Kept as a hash and a mask only.', optional(text)),
  email_verified: about(
    'Of a lead with the key: `false` says that you do not know yet whether the address is theirs. It then finds no payment of theirs; rules look at it. ' +
      'Anything but `true` and null counts as `false`.',
    optional(flag),
  ),
  event_name: optional(text),
  program_id: optional(testMode.program_id),
  click_ids: about('Further click ids, for an audit only; the first 20 are kept.', optional(z.array(text))),
  page_url: optional(text),
  session_id: optional(text),
  additional_data: optional(additional({ event_name: z.optional(text) })),
});

/** Operations for browsers. */
export const clickAndLeadRoutes = {
  'track/click': operation(click, {
    id: 'trackClick',
    warnsOn: [200],
    summary: 'Record a click',
    description:
      'Called by the browser tracker when a visitor follows a referral link. A program key counts in test mode only.',
    links: { trackLead: { click_id: '$response.body#/click_id' } },
    body: Click,
    ok: [RecordedClick, TestClick],
    refusals: [
      ...bodyRefusals,
      refusals.affiliateUrlMissing(),
      refusals.affiliateUrlInvalid(),
      refusals.affParameterMissing(),
      refusals.linkNotFound(),
      refusals.linkMisconfigured(),
      refusals.programMismatch(),
      refusals.linkDisabled(),
    ],
    failures: ['Click tracking failed'],
  }),

  'track/lead': operation(lead, {
    id: 'trackLead',
    warnsOn: [400],
    summary: 'Record a signup',
    description:
      'With a program key the lead is settled. Without one it comes from a browser: it stays provisional until the server confirms it, unless the program allows browser leads. Outside test mode `click_id` or `customer_key` is required; sending both is best. With a program key, a field whose name is close to a known one is refused.',
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

  'track/preflight': operation(
    { ...base, security: ['anonymous'], refusals: [], isCounted: false, rotates: undefined },
    {
      id: (_, path) => (path.endsWith('click') ? 'preflightClick' : 'preflightLead'),
      summary: 'May this page send it?',
      description: 'Browsers ask before they send. An origin that no program allows gets no more than `Vary`.',
      others: {
        204: {
          description: 'The headers say what the page may do.',
          headers: {
            'X-Request-ID': 'always',
            Vary: 'always',
            'Access-Control-Allow-Origin': 'sometimes',
            'Access-Control-Allow-Methods': 'sometimes',
            'Access-Control-Allow-Headers': 'sometimes',
            'Access-Control-Max-Age': 'sometimes',
          },
        },
      },
      failures: ['Request failed'],
    },
  ),
} satisfies Readonly<Record<string, Operation>>;
