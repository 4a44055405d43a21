import { visibleName } from '#lib/domain/name.ts';

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
  readonly createdAt: string;
}

/** The claims of a verified `id_token`. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name?: string;
}

/** The name that the issuer gives; empty when it gives none. */
export const statedName = ({ name }: Identity): string => visibleName(name ?? '');

/** A new account's display name: the issuer's, else the part of the address before the `@`. */
export const accountName = (identity: Identity): string =>
  statedName(identity) || visibleName(identity.email.slice(0, identity.email.lastIndexOf('@')));
