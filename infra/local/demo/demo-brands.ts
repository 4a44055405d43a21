import { acceptedBy } from '#infra/local/demo/demo-acceptance.ts';
import { ana, fullDemo, SECOND_LINK } from '#infra/local/demo/demo-partners.ts';
import { clickOf, leadOf, paymentOf, type Step } from '#infra/local/demo/demo-plan.ts';
import type { Purchase } from '#infra/local/demo/demo-purchases.ts';
import { type Calendar, HOUR_MS, type Visitor } from '#infra/local/demo/demo-visitors.ts';
import { logoOf, type Shape } from '#infra/local/demo/logo.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changeBrandTexts } from '#lib/service/programs/brand/change-brand-texts.ts';
import type { BrandChange } from '#lib/service/programs/brand/brand.ts';
import { setLogo } from '#lib/service/programs/brand/change-logo.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { createCode } from '#lib/service/programs/links/create-code.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

interface Look {
  readonly texts: BrandChange & { readonly accentColor: string };
  readonly shape: Shape;
}

/** The first brand. Its logo is an upward arrow. */
const acme: Look = {
  texts: {
    displayName: 'Acme Pro',
    accentColor: '#c2410c',
    welcome:
      'Welcome to the partner program of Acme Pro.\nTell your audience about it and earn with every subscription.',
    contactEmail: 'partners@acme.test',
  },
  shape: (x, y) =>
    (y > 0.2 && y < 0.56 && Math.abs(x - 0.5) < (y - 0.2) * 0.86) || (y >= 0.56 && y < 0.8 && Math.abs(x - 0.5) < 0.12),
};

/** The second brand. Its logo is a ring with a dot. */
const northwind: Look = {
  texts: {
    displayName: 'Northwind Notes',
    accentColor: '#0f766e',
    welcome: 'Northwind Notes keeps teams on one page. Thank you for recommending it.',
    contactEmail: 'affiliates@northwind.test',
  },
  shape(x, y) {
    const distance = Math.hypot(x - 0.5, y - 0.5);
    return distance < 0.1 || (distance > 0.2 && distance < 0.32);
  },
};

/** Gives a program its logo, color and texts. Calling it again changes nothing. */
async function dress(depsOf: () => Deps, program: Program, { texts, shape }: Look): Promise<void> {
  await setLogo(depsOf(), program, logoOf(texts.accentColor, shape));
  await changeBrandTexts(depsOf(), program, texts);
}

/** The coupon code of the partner Ana. Its discount is only a text, because the demo has no shop. */
const CODE = 'ANA10';

/** Gives the demo's program a brand, and the partner Ana a coupon code. Calling it again changes nothing. */
export async function dressFirstBrand(depsOf: () => Deps, programId: number): Promise<void> {
  const program = await findProgram(depsOf().table, programId);
  if (!program) return;
  await dress(depsOf, program, acme);
  const partner = await findPartnerByEmail(depsOf().table, program.workspaceId, ana.email);
  if (!(await findCode(depsOf().table, programId, CODE)))
    await createCode(depsOf(), programId, { partnerId: partner?.id, code: CODE, discount: '10% off the first month' });
}

/**
 * Gives the second program its brand, and accepts its invitation for the partner Ana. Calling it again changes nothing.
 */
export async function dressSecondBrand(depsOf: () => Deps, program: Program): Promise<void> {
  await dress(depsOf, program, northwind);
  await acceptedBy(depsOf(), program.id, ana);
}

/** Number of visitors of the second brand, who come 30 hours apart. */
const VISITS = 40;

/** Plans the events of the second brand. Every second visitor signs up, and every second of those buys within a day. */
export function planSecondBrand({ end }: Calendar): Step[] {
  const visitors = Array.from({ length: VISITS }, (_, n): Visitor => ({
    at: end - (VISITS - n) * 30 * HOUR_MS,
    clickId: `clk_northwind${String(n).padStart(17, '0')}`,
    partner: fullDemo[0]!,
    link: SECOND_LINK,
  }));
  const signups = visitors
    .filter((_, n) => n % 2 === 0)
    .map((visitor, n) => ({ ...visitor, signedUpAt: visitor.at + HOUR_MS, customerKey: `reader_${101 + n}` }));
  const purchases = signups
    .filter((_, n) => n % 2 === 0)
    .map((customer, n): Purchase => ({
      customer,
      paidAt: customer.signedUpAt + 20 * HOUR_MS,
      transactionId: `northwind_${201 + n}`,
      amountCents: 1_900,
      currency: 'USD',
      isRenewal: false,
    }));
  return [...visitors.map((visitor) => clickOf(visitor)), ...signups.map(leadOf), ...purchases.map(paymentOf)].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}
