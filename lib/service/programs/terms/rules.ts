/** Rules that check the traffic behind a sale or a lead before it is paid. */
export const ruleNames = [
  'self_referral',
  'same_domain',
  'disposable_email',
  'paid_ad',
  'banned_referrer',
  'velocity',
  'address_only',
] as const;
export type RuleName = (typeof ruleNames)[number];

/**
 * The reasons for which a commission may be flagged: one for each rule, and `shared_click`, if more than one person
 * paid with the same click. The program cannot turn off `shared_click`.
 */
export const flagNames = [...ruleNames, 'shared_click'] as const;
export type FlagName = (typeof flagNames)[number];

/** The effect of a matching rule: `off` = none, `flag` = a note on the commission, `hold` = a hold for review. */
export const ruleActions = ['off', 'flag', 'hold'] as const;
export type RuleAction = (typeof ruleActions)[number];

export type Rules = Readonly<Record<RuleName, RuleAction>>;

const DEFAULT_RULES: Rules = {
  self_referral: 'flag',
  same_domain: 'off',
  disposable_email: 'off',
  paid_ad: 'off',
  banned_referrer: 'off',
  velocity: 'off',
  address_only: 'flag',
};

export const MOST_BANNED_REFERRERS = 100;
export const MOST_AD_CAMPAIGNS = 100;
export const MOST_IGNORED_ADDRESSES = 50;
export const VELOCITY_CLICKS = { minimum: 10, maximum: 100_000, default: 100 } as const;
export const SHARED_CLICK_PAYERS = { minimum: 1, maximum: 1_000, default: 5 } as const;

/** A program's settings for the rules that check its traffic. An absent setting has its default value. */
export interface TrafficSettings {
  /** The actions that an owner has set for rules. All other rules have their action in `DEFAULT_RULES`. */
  readonly rules?: Partial<Rules>;
  /** Hosts in lower case; `*.x` means every host below `x`, but not `x` itself. */
  readonly bannedReferrers?: readonly string[];
  /** Values of `utm_campaign` that the rule `paid_ad` allows. */
  readonly paidAdAllowedCampaigns?: readonly string[];
  /** Rule `velocity` matches when first clicks of a link come from more networks than this within a minute. */
  readonly velocityClicks?: number;
  /** How many people may pay with one click id. A rule holds the commissions for further people. */
  readonly sharedClickPayers?: number;
  /** Addresses and ranges in CIDR notation, with the host bits cleared, whose clicks count as bots. */
  readonly ignoredAddresses?: readonly string[];
}

export const rulesOf = ({ rules }: TrafficSettings): Rules => ({ ...DEFAULT_RULES, ...rules });

export const velocityClicksOf = ({ velocityClicks = VELOCITY_CLICKS.default }: TrafficSettings): number =>
  velocityClicks;

export const sharedClickPayersOf = ({ sharedClickPayers = SHARED_CLICK_PAYERS.default }: TrafficSettings): number =>
  sharedClickPayers;

/** Records that a rule matched a commission when it was created. */
export interface Flag {
  readonly rule: FlagName;
  /** When the rule matched, ISO 8601. */
  readonly at: string;
  /** Why the rule matched: a sentence without personal data. */
  readonly evidence: string;
}

/**
 * Returns a customer's traits after a person has released a commission that these rules held. Undefined if the traits
 * already contain all of these rules.
 */
export function traitsWithReleased(
  traits: CustomerTraits | undefined,
  rules: readonly FlagName[],
): CustomerTraits | undefined {
  const { released = [] } = traits ?? {};
  const added = rules.filter((rule) => !released.includes(rule));
  return added.length === 0 ? undefined : { ...traits, released: [...released, ...added] };
}

/**
 * What the rules need to know about a customer, as far as known. It is stored with the customer, and copied to the item
 * of the customer's key.
 */
export interface CustomerTraits {
  /** Set if the first click came through an advertisement. The value is its `utm_campaign`, or empty if it has none. */
  readonly adCampaign?: string;
  /** Host that the first click came from, in lower case. */
  readonly referrer?: string;
  /** Domain of the customer's address, in lower case. */
  readonly mailDomain?: string;
  /**
   * The result of comparing the customer's e-mail address with the partner's: that partner, and which parts of the two
   * addresses are equal.
   */
  readonly compared?: {
    readonly partnerId: number;
    readonly address?: true;
    /** Set if both addresses have the same mail domain, and it is not a public mail provider. */
    readonly domain?: true;
  };
  /**
   * The network from which the customer signed up: a short hash with the salt of the day of the signup, which is
   * deleted within two days. Absent if only a server has sent the customer's events.
   */
  readonly network?: string;
  /** Rules that no longer hold commissions of this customer, because a person has released such a commission. */
  readonly released?: readonly FlagName[];
}
