import { givenCode } from '#test/support/programs/codes.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import { newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { directEndpoint } from '#test/support/stripe/stripe.ts';
import { type ApiVersion, stripeAt } from '#test/support/stripe/stripe-at.ts';
import type { World } from '#test/support/programs/world.ts';
import type { History } from '#test/ledger/play/command.ts';
import { termsBody, settingsBody } from '#test/ledger/wire.ts';

export type Row = Record<string, unknown>;

const VERSIONS: readonly ApiVersion[] = ['2022-11-15', '2024-06-20', '2025-03-31.basil', '2025-12-15.clover'];
/** After this time a session is replaced, because a token that is not used for long expires. */
const RENEWED_AFTER = 3_600_000;

let programs = 0;

/** Reads all rows of a list. */
const rowsOf = async (user: Pick<Dashboard, 'get'>, url: string, at: Date): Promise<Row[]> => {
  const asked = { get: (page: string) => user.get(page, { at, isLeftAlone: true }) } as Dashboard;
  return (await everyPage(asked, url)).flat();
};

/** Creates a program in the service. It has three partners, each with a link, a coupon code and an account. */
export async function programOf(world: World, { seed, settings, terms }: History) {
  programs += 1;
  const name = `l${programs}l`;
  const own = await ownedBrand(world, {
    attributionWindowDays: settings.windowDays,
    currency: settings.currency,
    ...(settings.isSandbox && { isSandbox: true }),
  });
  await directEndpoint(world, own);
  const { path } = own;
  const patched = await own.owner.patch(path, {
    ...settingsBody(settings),
    ...termsBody(terms),
    rules: { self_referral: settings.holdsSelfReferral ? 'hold' : 'off' },
  });
  if (patched.status !== 200) throw new Error(JSON.stringify(patched.body));
  const partners = await Promise.all(
    ['Bea', 'Cem', 'Dan'].map(async (first, n) => {
      const brand = await anotherPartner(world, own, `${first}-${name}`);
      const email = newAddress(first.toLowerCase());
      await own.owner.patch(`${path}/partners/${brand.partner.id}`, { email });
      await givenCode(world, brand, { code: `CODE${n}` });
      await accepted(await signedInAs(world, email), path);
      return { id: brand.partner.id, affiliateUrl: brand.affiliateUrl, email, code: `CODE${n}` };
    }),
  );
  const { workspace } = await ownerOfBrand(world, own);
  const emails = [workspace.members[0]!.email, ...partners.map(({ email }) => email)];
  const sessions = new Map<string, { readonly token: string; readonly at: number }>();

  async function tokenOf(email: string, at: Date): Promise<string> {
    const known = sessions.get(email);
    if (known && at.getTime() - known.at < RENEWED_AFTER) return known.token;
    const { token } = await signedInAs(world, email, at);
    sessions.set(email, { token, at: at.getTime() });
    return token;
  }

  return {
    own,
    path,
    name,
    partners,
    key: own.key,
    isSandbox: settings.isSandbox,
    stripe: stripeAt(VERSIONS[seed % VERSIONS.length]!, name, {}),
    hasInvoicePayments: VERSIONS[seed % VERSIONS.length]! >= '2025-03-31',
    groupId: undefined as number | undefined,
    owner: async (at: Date): Promise<Dashboard> => dashboard(await tokenOf(emails[0]!, at)),
    partner: async (n: number, at: Date) => portal(await tokenOf(emails[n + 1]!, at)),
    /** Forgets the sessions. The next requests create new ones, whose rate limits are not used up. */
    forgetSessions: () => sessions.clear(),
    rowsOf,
    startedAt: NOW,
  };
}

export type Program = Awaited<ReturnType<typeof programOf>>;
