import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { RecordedClick, TestClick } from '#lib/wire/traffic/click.ts';
import { about, text } from '#lib/wire/words/fields.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { additional, base, optional, testMode } from '#lib/wire/traffic/tracking-operations.ts';

// A missing key is not an error, because clicks come from browsers.
const click: Family = { ...base, security: ['anonymous', 'programKey'], refusals: [], cors: true };

const Click = z.object({
  affiliate_url: about('The landing URL with its `aff` parameter. Optional only in test mode.', z.optional(text)),
  existing_click_id: about(
    'The id of an earlier click of this visitor. The customer stays with the first partner.',
    optional(text),
  ),
  click_id: about('Alias of `existing_click_id`.', optional(text)),
  page_url: optional(text),
  page_title: optional(text),
  referrer_url: optional(text),
  session_id: optional(text),
  user_agent: about(
    "The visitor's user agent, if a server reports the click. It reveals bots, previews and repeated clicks. If absent, the header `User-Agent` is stored, but reveals them only in requests with an `Origin`, as web pages send them.",
    optional(text),
  ),
  screen_resolution: optional(text),
  viewport_size: optional(text),
  language: optional(text),
  timezone: optional(text),
  program_id: optional(testMode.program_id),
  additional_data: optional(additional({})),
});

/** A click, and the permission for pages of other origins to send clicks and leads. */
export const clickRoutes = {
  'track/click': operation(click, {
    id: 'trackClick',
    warnsOn: [200],
    summary: 'Record a click',
    description:
      'The browser tracker calls this when a visitor follows a referral link. A program key has an effect only in test mode.',
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

  'track/preflight': operation(
    { ...base, security: ['anonymous'], refusals: [], isCounted: false, rotates: undefined },
    {
      id: (_, path) => (path.endsWith('click') ? 'preflightClick' : 'preflightLead'),
      summary: 'Answer the CORS preflight of a page',
      description:
        'Browsers send this before a request from another origin. For an origin that no program allows, the reply has only the header `Vary`.',
      others: {
        204: {
          description: 'The headers list what the page may send.',
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
