import type { Commission } from '#lib/wire/earnings/commission.ts';
import type { Program } from '#lib/wire/programs/program.ts';

export type RuleName = keyof Program['rules'];
export type FlagName = Commission['flags'][number]['rule'];
type RuleAction = Program['rules'][RuleName];

interface RuleTexts {
  readonly title: string;
  readonly fits: string;
  /** What the rule does not notice, and which harmless cases it matches. */
  readonly limits: string;
}

/** The rules that a program can apply before it pays commission for a sale or sign-up. */
export const ruleTexts: Readonly<Record<RuleName, RuleTexts>> = {
  self_referral: {
    title: 'Self-referral',
    fits: 'The customer has the partner’s own e-mail address. Capitals, a +tag and dots in Gmail addresses make no difference.',
    limits: 'It cannot see a partner who buys with another address, nor customers whose address you never send.',
  },
  same_domain: {
    title: 'Same mail domain',
    fits: 'The customer’s e-mail address has the same domain as the partner’s, for example the domain of a company. Public mail providers do not count.',
    limits: 'It also matches honest customers who work for the same company as the partner.',
  },
  disposable_email: {
    title: 'Disposable e-mail address',
    fits: 'The customer’s address belongs to a service that gives out addresses for a few minutes.',
    limits: 'It cannot see services that are not on the list yet, nor customers whose address you never send.',
  },
  paid_ad: {
    title: 'Paid advertisement',
    fits: 'The first click came from an advertisement: its address carries a click id of an ad network, such as gclid or msclkid.',
    limits:
      'It cannot see advertisements that lead to the partner’s own site first. Facebook adds its id (fbclid) to ordinary posts, too, so the rule also matches these.',
  },
  banned_referrer: {
    title: 'Banned site',
    fits: 'The first click came from one of the sites below.',
    limits: 'It cannot see visitors if their browser, or the previous site, does not send the referrer.',
  },
  velocity: {
    title: 'Unusual speed',
    fits: 'In the minute of the first click, first clicks on its link came from more networks than the number below. Or the partner had at least 10 signups on the day of this signup, and more than half of them came from the same network as this one.',
    limits:
      'It cannot see slow robots that use many addresses, nor the network of a visitor whose click your server reports. Anyone can click a link, so a burst does not prove that the partner caused it. A newsletter or a video can also bring many honest visitors at once.',
  },
  address_only: {
    title: 'Found by address alone',
    fits: 'Only the e-mail address identified the customer: no click or customer key did, in this payment or an earlier one. Anyone can sign up with the address of someone else. If the payment also points to a customer of another partner, the commission is held even if you chose to flag it.',
    limits:
      'It also matches honest customers if the checkout sends neither the click id nor your customer id. Later payments of the same payer are attributed like the first.',
  },
};

/** The reasons for which a commission can be flagged, in a few words. */
export const flagTitles: Readonly<Record<FlagName, string>> = {
  ...(Object.fromEntries(Object.entries(ruleTexts).map(([name, { title }]) => [name, title])) as Record<
    RuleName,
    string
  >),
  shared_click: 'Shared click id',
};

export const ruleActionTexts: readonly (readonly [RuleAction, string])[] = [
  ['off', 'Do nothing'],
  ['flag', 'Flag the commission'],
  ['hold', 'Hold it for review'],
];
