import { createHash } from 'node:crypto';

export type CredentialClass = 'programKey' | 'agentKey' | 'loginToken';

/** A program key as the table knows it: everything but the key. Times are ISO 8601. */
export interface ProgramKey {
  readonly class: 'programKey';
  readonly programId: number;
  /** Set by the operator; the key works until `rotationDeadline` and is retired from then on. */
  readonly rotationMarkedAt?: string;
  readonly rotationDeadline?: string;
}

/** A token that acts as an account until it expires or is revoked. */
interface LoginToken {
  readonly class: 'loginToken';
  readonly accountId: number;
  readonly expiresAt: string;
}

export const agentScopes = ['program:list', 'program:read', 'program:update'] as const;
export type AgentScope = (typeof agentScopes)[number];

/** A key that lets a tool act for one workspace, within its scopes. */
interface AgentKey {
  readonly class: 'agentKey';
  readonly workspaceId: number;
  readonly scopes: readonly AgentScope[];
}

/** Whoever presents a secret whose SHA-256 is in the table. */
export type Credential = ProgramKey | LoginToken | AgentKey;

export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** What an Authorization header holds (contract 3.2): `Bearer` is case-sensitive, its token may be empty. */
export type Authorization = { readonly scheme: 'malformed' } | { readonly scheme: 'bearer'; readonly token: string };

export function parseAuthorization(header: string | undefined): Authorization {
  const match = /^Bearer(?:\s+(.*))?$/s.exec(header ?? '');
  return match ? { scheme: 'bearer', token: (match[1] ?? '').trim() } : { scheme: 'malformed' };
}

const shapes: Readonly<Record<CredentialClass, RegExp>> = {
  programKey: /^aff_([0-9a-z]{1,11})_[0-9A-Za-z]{32}$/,
  agentKey: /^agt_[0-9A-Za-z]{40}$/,
  loginToken: /^lgn_[0-9A-Za-z]{40}$/,
};

/** Whether a token looks like one that we issue. Only a hint: what it is, its hash in the table decides. */
export const looksLike = (token: string, classes: readonly CredentialClass[]): boolean =>
  classes.some((name) => shapes[name].test(token));

/** The program that a program key's structure names; a hint for reading ahead, never a proof. */
export function programIdHint(token: string): number | undefined {
  const programId = Number.parseInt(shapes.programKey.exec(token)?.[1] ?? '', 36);
  return Number.isSafeInteger(programId) ? programId : undefined;
}

export const programKeyOf = (programId: number, secret: string): string => `aff_${programId.toString(36)}_${secret}`;

/** What reads show of a program key. Keys issued before the prefix existed show no prefix. */
export const maskKey = (key: string): string => `${key.startsWith('aff_') ? 'aff_' : ''}****${key.slice(-4)}`;
