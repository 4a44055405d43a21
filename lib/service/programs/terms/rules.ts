/** What a program may want to know of a sale or a lead before it is paid for. */
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

/** What a commission may be flagged for: a rule, or more people than one who pay with one click, which is always noted. */
export const flagNames = [...ruleNames, 'shared_click'] as const;
export type FlagName = (typeof flagNames)[number];

/** What a rule that fits does: nothing, a note on the commission, or a commission that waits for a person. */
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

/** What a program says about the quality of its traffic. What is absent has its default. */
export interface TrafficSettings {
  /** Those that differ from `DEFAULT_RULES`, or were set. */
  readonly rules?: Partial<Rules>;
  /** Hosts in lower case; `*.x` is every host below `x`, not `x`. */
  readonly bannedReferrers?: readonly string[];
  /** Values of `utm_campaign` that the rule `paid_ad` allows. */
  readonly paidAdAllowedCampaigns?: readonly string[];
  /** Networks from which first clicks of a link come in a minute, above which `velocity` fits. */
  readonly velocityClicks?: number;
  /** People who may pay with one click id; the commissions of further ones are held. */
  readonly sharedClickPayers?: number;
  /** Whose clicks are bots: addresses and ranges in CIDR notation, host bits cut. */
  readonly ignoredAddresses?: readonly string[];
}

export const rulesOf = ({ rules }: TrafficSettings): Rules => ({ ...DEFAULT_RULES, ...rules });

export const velocityClicksOf = ({ velocityClicks = VELOCITY_CLICKS.default }: TrafficSettings): number =>
  velocityClicks;

export const sharedClickPayersOf = ({ sharedClickPayers = SHARED_CLICK_PAYERS.default }: TrafficSettings): number =>
  sharedClickPayers;

/** That a rule has fitted a commission when it was made. */
export interface Flag {
  readonly rule: FlagName;
  /** ISO 8601. */
  readonly at: string;
  /** In words, without personal data. */
  readonly evidence: string;
}

/** The traits of a customer whom these rules hold no more; undefined when they did not before. */
export function traitsWithReleased(
  traits: CustomerTraits | undefined,
  rules: readonly FlagName[],
): CustomerTraits | undefined {
  const { released = [] } = traits ?? {};
  const added = rules.filter((rule) => !released.includes(rule));
  return added.length === 0 ? undefined : { ...traits, released: [...released, ...added] };
}

/** What rules look at, as far as it is known of a customer. Kept with the customer, and with the item of its key. */
export interface CustomerTraits {
  /** The first click came through an advertisement: its `utm_campaign`, empty where it names none. */
  readonly adCampaign?: string;
  /** Host that the first click came from, in lower case. */
  readonly referrer?: string;
  /** Domain of the customer's address, in lower case. */
  readonly mailDomain?: string;
  /** With which partner's address the customer's was compared, and what both have in common. */
  readonly compared?: {
    readonly partnerId: number;
    readonly address?: true;
    /** One of their own, not that of a provider of mailboxes for everyone. */
    readonly domain?: true;
  };
  /**
   * Of the network from which the customer came: a short hash under the salt of that day, which nobody has two days
   * later. Absent where only a server was seen.
   */
  readonly network?: string;
  /** Rules that hold this customer no more, because a person released what they had held. */
  readonly released?: readonly FlagName[];
}
