import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { visibleName } from '#lib/service/ground/values/name.ts';

/** A person who signs in, identified by the issuer's `iss` and `sub`. Times are ISO 8601. */
export interface Account {
  readonly id: number;
  /** The address at the last sign-in, trimmed and in lower case. */
  readonly email: string;
  readonly name: string;
  /** The workspace whose member list decides what the account may do. An account belongs to at most one workspace. */
  readonly workspaceId?: number;
  readonly suspendedAt?: string;
  /** Set while the account is being closed: no further sign-ins, memberships or partnerships until it is deleted. */
  readonly closingAt?: string;
  /** The person has unsubscribed from mails to partners. */
  readonly refusesMail?: true;
  /** Browsers from which the account has signed in to the dashboard or portal, newest last. */
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

/** The name in the issuer's claims. Empty if there is none or if it is an e-mail address, which is no name. */
export function statedName({ name = '' }: Identity): string {
  const visible = visibleName(name);
  return addressOf(visible) === undefined ? visible : '';
}

/** A new account's display name: the issuer's, otherwise the part of the address before the `@`. */
export const accountName = (identity: Identity): string =>
  statedName(identity) || visibleName(identity.email.slice(0, identity.email.lastIndexOf('@')));

const MOST_BROWSERS = 20;
/** Stored instead of the name of a browser that sends no User-Agent header. */
const UNNAMED = 'unnamed';

const knows = ({ browsers = [] }: Pick<Account, 'browsers'>, browser = UNNAMED): boolean => browsers.includes(browser);

/** Whether an account has signed in before, but never from this browser. */
export const isNewBrowser = (account: Pick<Account, 'browsers'>, browser: string | undefined): boolean =>
  account.browsers !== undefined && !knows(account, browser);

/** The account's browsers after a sign-in; undefined if unchanged. If there are too many, the oldest is removed. */
export const withBrowser = (account: Pick<Account, 'browsers'>, browser = UNNAMED): readonly string[] | undefined =>
  knows(account, browser) ? undefined : [...(account.browsers ?? []), browser].slice(-MOST_BROWSERS);
