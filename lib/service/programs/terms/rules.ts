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
 * The reasons for which a commission may be flagged: each rule, and `shared_click`, if more than one person paid with
 * the same click. The latter is always flagged.
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

/** A program's settings for the quality of its traffic. An absent setting has its default value. */
export interface TrafficSettings {
  /** Rules that were set, or differ from `DEFAULT_RULES`. */
  readonly rules?: Partial<Rules>;
  /** Hosts in lower case; `*.x` means every host below `x`, but not `x` itself. */
  readonly bannedReferrers?: readonly string[];
  /** Values of `utm_campaign` that the rule `paid_ad` allows. */
  readonly paidAdAllowedCampaigns?: readonly string[];
  /** Rule `velocity` matches when first clicks of a link come from more networks than this within a minute. */
  readonly velocityClicks?: number;
  /** How many people may pay with one click id; commissions for further people are held. */
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
  /** A sentence without personal data. */
  readonly evidence: string;
}

/** Returns a customer's traits after the release of these rules; undefined when all of them were already released. */
export function traitsWithReleased(
  traits: CustomerTraits | undefined,
  rules: readonly FlagName[],
): CustomerTraits | undefined {
  const { released = [] } = traits ?? {};
  const added = rules.filter((rule) => !released.includes(rule));
  return added.length === 0 ? undefined : { ...traits, released: [...released, ...added] };
}

/** The customer data that rules check, as far as known, stored with the customer and with the key's item. */
export interface CustomerTraits {
  /** Set when the first click came through an advertisement: its `utm_campaign`, empty when it has none. */
  readonly adCampaign?: string;
  /** Host that the first click came from, in lower case. */
  readonly referrer?: string;
  /** Domain of the customer's address, in lower case. */
  readonly mailDomain?: string;
  /**
   * The partner whose e-mail address was compared with the customer's, and the parts that both addresses have in
   * common.
   */
  readonly compared?: {
    readonly partnerId: number;
    readonly address?: true;
    /** Both addresses have the same mail domain, which is not a public mail provider. */
    readonly domain?: true;
  };
  /**
   * The network from which the customer came: a short hash with the salt of that day, a salt that is deleted within two
   * days. Absent when only a server has sent the customer's events.
   */
  readonly network?: string;
  /** Rules that no longer hold this customer, because a person released a commission that they had held. */
  readonly released?: readonly FlagName[];
}
