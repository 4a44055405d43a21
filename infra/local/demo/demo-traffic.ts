import type { ClickQuality } from '#lib/service/traffic/clicks/click-quality.ts';
import type { TrafficSettings } from '#lib/service/programs/terms/rules.ts';
import type { Purchase, Signup } from '#infra/local/demo/demo-purchases.ts';
import { type Calendar, isReturning, type Visitor } from '#infra/local/demo/demo-visitors.ts';

/** Properties of an unusual click: its quality, and where it came from. */
export interface Arrival {
  readonly quality: ClickQuality;
  /** The campaign name, if the click came from an advertisement. */
  readonly campaign?: string;
  /** The site from which the click came, if it is not the partner's own. */
  readonly from?: string;
}

const BANNED = 'deals.example';

/**
 * Rules about traffic, which the owner sets after seven weeks. From then on, they hold some commissions for review and
 * flag others.
 */
export const demoRules = {
  rules: { paid_ad: 'hold', banned_referrer: 'flag' },
  bannedReferrers: [BANNED],
} as const satisfies TrafficSettings;

export const whenRulesBegin = ({ at }: Calendar): number => at(50);

const advertised: Arrival = { quality: 'paid_ad', campaign: 'acme-brand' };
const banned: Arrival = { quality: 'ok', from: `https://${BANNED}/acme` };
/** Clicks of customers who buy after the rules were set: three get their commissions held, and two get them flagged. */
const ofBuyers = [advertised, advertised, advertised, banned, banned];

/**
 * The unusual clicks of visitors who never sign up, by the visitor's index modulo 24. A visitor without an entry here
 * has an ordinary click.
 */
const ofOthers: Readonly<Record<number, Arrival>> = {
  3: { quality: 'bot' },
  8: { quality: 'preview' },
  13: { quality: 'repeat' },
  20: { quality: 'paid_ad', campaign: 'spring' },
};

/** The unusual clicks, by click id. */
export function arrivalsOf(
  calendar: Calendar,
  visitors: readonly Visitor[],
  signups: readonly Signup[],
  purchases: readonly Purchase[],
): ReadonlyMap<string, Arrival> {
  // Leaves out visitors who sign up or return, because an unusual click is often a bot's, and bots do neither.
  const known = new Set([...signups, ...visitors.filter(isReturning)].map(({ clickId }) => clickId));
  const others = visitors
    .filter(({ clickId }) => !known.has(clickId))
    .flatMap(({ clickId }, n) => {
      const arrival = ofOthers[n % 24];
      return arrival ? [[clickId, arrival] as const] : [];
    });
  const buyers = purchases
    .filter(({ isRenewal, isByStripe, fate }) => !isRenewal && !isByStripe && !fate)
    .filter(({ paidAt }) => paidAt >= whenRulesBegin(calendar))
    .slice(0, ofBuyers.length)
    .map(({ customer }, n) => [customer.clickId, ofBuyers[n]!] as const);
  return new Map([...others, ...buyers]);
}
