import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { addressEvidence, contradictedBy } from '#lib/service/earnings/commissions/overruled-claim.ts';
import { type AttributedCustomer, creditedLink } from '#lib/service/traffic/customers/customer.ts';
import { listedReferrer } from '#lib/service/ground/addresses/origin.ts';
import { ordinal } from '#lib/service/ground/values/ordinal.ts';
import {
  type CustomerTraits,
  type Flag,
  type FlagName,
  type RuleAction,
  type RuleName,
  rulesOf,
  sharedClickPayersOf,
  type TrafficSettings,
} from '#lib/service/programs/terms/rules.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import { type Bursts, velocityEvidence } from '#lib/service/programs/terms/velocity.ts';

/** The facts that rules check besides the customer. */
export interface RuleFacts {
  /** Unusual numbers of clicks and signups in the program within a short time. */
  readonly bursts?: Bursts;
  /** The latest comparison of e-mail addresses, used instead of `compared` in the customer's traits. */
  readonly compared?: CustomerTraits['compared'];
  /**
   * Whether the customer's e-mail address belongs to a provider of disposable addresses. Undefined if not, or if not
   * looked up.
   */
  readonly isDisposable?: boolean;
  /** Set if only the e-mail address found the customer: no click, earlier payment or customer key did. */
  readonly isByAddressAlone?: SaleAttribution['isByAddressAlone'];
  /** A partner who did not get the payment, although another identifier points to this partner. */
  readonly overruled?: SaleAttribution['overruled'];
}

/** The rules that matched a new commission, and whether one of them holds it for review. */
export interface Verdict {
  readonly flags: readonly Flag[];
  readonly isHeld: boolean;
}

/**
 * Returns the rules that match a customer, with evidence that contains no personal data. Whether the program has turned
 * a rule off is not considered here. Rules about clicks are skipped for a customer attributed by a coupon code, whose
 * click belongs to another partner or does not exist.
 */
export function rulesThatFit(
  { bannedReferrers = [], paidAdAllowedCampaigns = [] }: TrafficSettings,
  customer: AttributedCustomer,
  facts: RuleFacts,
): ReadonlyMap<RuleName, string> {
  const { partnerId, traits = {} } = customer;
  const { adCampaign, referrer } = traits;
  const { bursts, isDisposable, isByAddressAlone, compared = traits.compared } = facts;
  const shortLink = creditedLink(customer);
  const isOfClick = shortLink !== undefined;
  const same = compared !== undefined && compared.partnerId === partnerId ? compared : undefined;
  const banned = isOfClick && referrer !== undefined ? listedReferrer(referrer, bannedReferrers) : undefined;
  const evidence: Readonly<Record<RuleName, string | false | undefined>> = {
    self_referral: same?.address && "The customer's address is the partner's own",
    same_domain: same?.domain && "The customer's address and the partner's have the same domain",
    disposable_email: isDisposable && "The customer's address is of a provider of disposable addresses",
    paid_ad:
      isOfClick &&
      adCampaign !== undefined &&
      !paidAdAllowedCampaigns.includes(adCampaign) &&
      (adCampaign === ''
        ? 'The first click came through an advertisement that names no campaign'
        : 'The first click came through an advertisement of a campaign that the program does not allow'),
    // The text shows the entry of the program's list, not the visitor's referrer.
    banned_referrer: banned && `The first click came from a banned site (${banned})`,
    velocity: velocityEvidence({ bursts }, { ...customer, shortLink }),
    address_only: isByAddressAlone && addressEvidence(contradictedBy(facts)),
  };
  return new Map(Object.entries(evidence).filter(([, words]) => words) as [RuleName, string][]);
}

/** Applies the program's rules to a commission for this customer. */
export function verdictOn(
  program: TrafficSettings,
  customer: AttributedCustomer,
  facts: RuleFacts,
  now: Date,
): Verdict {
  const { sharedClick, traits } = customer;
  const rules = rulesOf(program);
  const { released = [] } = traits ?? {};
  const isAboveLimit = sharedClick !== undefined && sharedClick.place > sharedClickPayersOf(program);
  const actions: Readonly<Record<FlagName, RuleAction>> = {
    ...rules,
    // Another identifier of the payment points to another partner's customer, so a person must review the commission.
    ...(contradictedBy(facts) && rules.address_only === 'flag' && { address_only: 'hold' }),
    shared_click: isAboveLimit ? 'hold' : 'flag',
  };
  const fitting: readonly (readonly [FlagName, string])[] = [
    ...rulesThatFit(program, customer, facts),
    ...(sharedClick ? [['shared_click', sharedClickEvidence(sharedClick)] as const] : []),
  ];
  const flags = fitting
    .filter(([rule]) => actions[rule] !== 'off' && !released.includes(rule))
    .map(([rule, evidence]) => ({ rule, at: now.toISOString(), evidence }));
  return { flags, isHeld: flags.some(({ rule }) => actions[rule] === 'hold') };
}

const sharedClickEvidence = ({ place }: NonNullable<AttributedCustomer['sharedClick']>): string =>
  `The customer is the ${ordinal(place)} person who paid with this click id`;

/** Adds to a new commission the rules that matched, and holds it for review if one of them requires that. */
export function withVerdict<New extends Commission>(commission: New, { flags, isHeld }: Verdict): New {
  if (flags.length === 0) return commission;
  if (!isHeld) return { ...commission, flags };
  const status = 'held';
  const history = commission.history.map((row) => ({ ...row, to: status }) as const);
  return { ...commission, flags, status, heldAt: flags[0]!.at, history };
}

/** The rules that matched a commission, as stored in it, and whether one of them held it. */
export const verdictOf = ({ flags = [], heldAt }: Commission): Verdict => ({ flags, isHeld: heldAt !== undefined });
