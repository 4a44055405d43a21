import { createHash } from 'node:crypto';
import type { Device } from '#lib/service/ground/addresses/login-token.ts';

export type CredentialClass = 'programKey' | 'agentKey' | 'loginToken';

/** A program key as stored: everything but the key itself. Times are ISO 8601. */
export interface ProgramKey {
  readonly class: 'programKey';
  readonly programId: number;
  /**
   * When the operator marked the key for rotation. The key works until `rotationDeadline` and is refused from then on.
   */
  readonly rotationMarkedAt?: string;
  readonly rotationDeadline?: string;
  /** When the key was last accepted, to the hour; undefined if never. */
  readonly lastUsedAt?: string;
}

/** A token that acts as an account until it expires or is revoked. */
export interface LoginToken extends Device {
  readonly class: 'loginToken';
  readonly accountId: number;
  readonly createdAt: string;
  /** When the identity provider authenticated the person. */
  readonly signedInAt: string;
  /** When the token expires. For a web sign-in each use extends this. */
  readonly expiresAt: string;
  /** The UTC day on which the token was last used, `YYYY-MM-DD`. */
  readonly lastUsedOn: string;
}

export const agentScopes = ['program:list', 'program:read', 'program:update', 'program:terms'] as const;
export type AgentScope = (typeof agentScopes)[number];

/** A key for an approved tool (agent), valid for all programs of one workspace. Only the operator issues it. */
export interface AgentKey {
  readonly class: 'agentKey';
  readonly id: number;
  readonly workspaceId: number;
  readonly name: string;
  readonly scopes: readonly AgentScope[];
}

/** The permanent record of an agent key, revoked or not. Times are ISO 8601. */
export interface IssuedAgentKey extends Omit<AgentKey, 'class'> {
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** A credential whose SHA-256 hash is stored in the table. */
export type Credential = ProgramKey | LoginToken | AgentKey;

export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Public id of a login token. The token's stored hash cannot be derived from it. */
export const tokenIdOf = (hash: string): string => sha256(`id of ${hash}`).slice(0, 32);

const shapes: Readonly<Record<CredentialClass, RegExp>> = {
  programKey: /^aff_([0-9a-z]{1,11})_[0-9A-Za-z]{32}$/,
  agentKey: /^agt_[0-9A-Za-z]{40}$/,
  loginToken: /^lgn_[0-9A-Za-z]{40}$/,
};

/** Whether a token has a format that this service issues. This is only a hint: the stored hash decides. */
export const looksLike = (token: string, classes: readonly CredentialClass[]): boolean =>
  classes.some((name) => shapes[name].test(token));

/** The program id inside a program key. It is not verified, and is used only to start reads early. */
export function programIdHint(token: string): number | undefined {
  const programId = Number.parseInt(shapes.programKey.exec(token)?.[1] ?? '', 36);
  return Number.isSafeInteger(programId) ? programId : undefined;
}

export const programKeyOf = (programId: number, secret: string): string => `aff_${programId.toString(36)}_${secret}`;

/** Whether a text can be a program key that was issued before keys had a prefix: 16 to 255 visible ASCII characters. */
export const mayBeOlderKey = (text: string): boolean => /^(?!aff_|agt_|lgn_)[!-~]{16,255}$/.test(text);

/** The masked form of a program key that replies show. Keys issued before the prefix existed show no prefix. */
export const maskKey = (key: string): string => `${key.startsWith('aff_') ? 'aff_' : ''}****${key.slice(-4)}`;
