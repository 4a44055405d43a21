import { beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard } from '#test/support/callers/dashboard.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { refusal } from '#test/support/servers/errors.ts';

// Errors for the page parameters of every list, and for the days of every report. NOW is 2026-11-20.

openProcessor();

const world = openedWorld();
let own: OwnedBrand;
let endpoint: string;
beforeAll(async () => {
  own = await ownedBrand(world);
  endpoint = (await endpointOf(own)).path;
});

/** A separate owner for each list, because of the rate limit. */
async function asked(url: string): Promise<{ readonly get: Dashboard['get']; readonly url: string }> {
  const { owner, path, partner, shortLink } = url.includes('WEBHOOK') ? own : await ownedBrand(world);
  const names = { PROGRAM: path, PARTNER: `${path}/partners/${partner.id}`, LINK: `${path}/links/${shortLink}` };
  return { get: owner.get, url: url.replace('WEBHOOK', endpoint).replace(/^[A-Z]+/, (name) => names[name as 'LINK']) };
}

const refuses = (url: string, rows: readonly (readonly [query: string, message: string])[]) =>
  it(`is refused with 400 by ${url}`, async () => {
    const { get, url: address } = await asked(url);
    for (const [query, message] of rows) {
      const { status, body } = await get(`${address}?${query}`);
      expect([query, { status, body }]).toEqual([query, refusal(400, message)]);
    }
  });

const wrongLimit = 'limit must be an integer from 1 to 100';
const programLists = ['partners', 'links', 'codes', 'groups', 'customers', 'events', 'commissions', 'payouts'];
const lists = [...programLists, 'facts', 'webhooks', 'processor/payments'].map((list) => `PROGRAM/${list}`);

describe('a query with an invalid limit or cursor', () => {
  for (const list of ['/workspace/members', '/workspace/audit', '/programs', ...lists, 'WEBHOOK/deliveries'])
    refuses(list, [
      ['limit=0', wrongLimit],
      ['limit=101', wrongLimit],
      ['cursor=x', 'Invalid cursor'],
    ]);
});

const noDays = [
  ['from=yesterday', 'from must be a date (YYYY-MM-DD)'],
  ['from=', 'from must be a date (YYYY-MM-DD)'],
  ['to=2026-02-30', 'to must be a date (YYYY-MM-DD)'],
  ['from=x&to=y', 'from must be a date (YYYY-MM-DD)'],
  ['from=2026-11-02&to=2026-11-01', 'from must not be after to'],
] as const;
const tooLong = 'The range must not exceed 366 days';

describe('a query with an invalid range of days', () => {
  for (const list of ['/workspace/audit', 'PROGRAM/events', 'PROGRAM/commissions', 'PROGRAM/commissions.csv'])
    refuses(list, noDays);

  const reports = ['PROGRAM', 'PARTNER', 'LINK'].map((of) => `${of}/performance`);
  for (const report of ['PROGRAM/partners', 'PROGRAM/links', 'PARTNER', 'LINK', ...reports])
    refuses(report, [
      ...noDays,
      ['from=2026-11-21', 'from must not be after to'],
      ['from=2025-01-01&to=2026-01-02', tooLong],
      ['from=2020-01-01', tooLong],
    ]);
});
