import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { visibleName } from '#lib/service/ground/values/name.ts';

/** A person who signs in, identified by the issuer's `iss` and `sub`. Times are ISO 8601. */
export interface Account {
  readonly id: number;
  /** As at the last sign-in, trimmed and lower-cased. */
  readonly email: string;
  readonly name: string;
  /** Pointer to the workspace whose member list decides what the account may do; at most one. */
  readonly workspaceId?: number;
  readonly suspendedAt?: string;
  /** The person is closing the account: it signs in no more and becomes nothing new, until it is gone. */
  readonly closingAt?: string;
  /** Wants no mails as a partner. */
  readonly refusesMail?: true;
  /** Those from which the account has signed in to the pages, the latest new one last. */
  readonly browsers?: readonly string[];
  readonly createdAt: string;
}

/** The claims of a verified `id_token`. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name?: string;
}

/** The name that the issuer gives; empty when it gives none, or an address instead, which would stay where names are kept. */
export function statedName({ name = '' }: Identity): string {
  const visible = visibleName(name);
  return addressOf(visible) === undefined ? visible : '';
}

/** A new account's display name: the issuer's, else the part of the address before the `@`. */
export const accountName = (identity: Identity): string =>
  statedName(identity) || visibleName(identity.email.slice(0, identity.email.lastIndexOf('@')));

const MOST_BROWSERS = 20;
/** One that its header does not name. */
const UNNAMED = 'unnamed';

const knows = ({ browsers = [] }: Pick<Account, 'browsers'>, browser = UNNAMED): boolean => browsers.includes(browser);

/** Whether an account has signed in before, but never from this browser. */
export const isNewBrowser = (account: Pick<Account, 'browsers'>, browser: string | undefined): boolean =>
  account.browsers !== undefined && !knows(account, browser);

/** The browsers of an account after a sign-in; undefined where they are as before. Of too many the first is forgotten. */
export const withBrowser = (account: Pick<Account, 'browsers'>, browser = UNNAMED): readonly string[] | undefined =>
  knows(account, browser) ? undefined : [...(account.browsers ?? []), browser].slice(-MOST_BROWSERS);
