import type { CredentialClass } from '#lib/service/ground/addresses/credential.ts';

/** A fixed window of one clock minute. */
export interface RateLimit {
  readonly group: string;
  readonly perMinute: number;
  /**
   * The kinds of credentials under which requests are counted. All other requests are counted under the client's
   * address.
   */
  readonly countedPer: readonly CredentialClass[];
  /** Limit per such credential; default: the common limit. */
  readonly perMinuteOfCredential?: number;
}

export const rateLimits = {
  click: { group: 'click', perMinute: 60, countedPer: [] },
  lead: { group: 'lead', perMinute: 30, countedPer: [] },
  saleAndRefund: { group: 'sale', perMinute: 120, countedPer: ['programKey'] },
  readiness: { group: 'readiness', perMinute: 30, countedPer: ['programKey'] },
  cli: { group: 'cli', perMinute: 60, countedPer: ['programKey', 'loginToken'] },
  dashboard: { group: 'dashboard', perMinute: 300, countedPer: ['loginToken'] },
  agent: { group: 'agent', perMinute: 60, countedPer: ['agentKey'] },
  /** The limit of unsubscribe links in mails. */
  mailRefusal: { group: 'mail', perMinute: 60, countedPer: [] },
  /** The limit of logos, which pages and mails load. */
  logo: { group: 'logo', perMinute: 300, countedPer: [] },
  /** The limit of requests to join, which are counted per account, separately from the dashboard's requests. */
  join: { group: 'join', perMinute: 10, countedPer: [] },
  /**
   * The limit of processor events. It applies to events at a program's own endpoint after the check of their signature,
   * and to events that the brand's server forwards.
   */
  processorEvent: { group: 'webhook', perMinute: 1_200, countedPer: [] },
} as const satisfies Record<string, RateLimit>;

/** The identity under which all events of a program are counted together, whichever way they arrive. */
export const identityOfProgram = (programId: number): string => `program:${programId}`;

/**
 * The limit of leads. A server sends the leads of all its visitors from one address. So an installation may count the
 * leads that contain a valid program key by this key.
 * @param keyedPerMinute undefined if leads are counted per address
 */
export const leadLimit = (keyedPerMinute: number | undefined): RateLimit =>
  keyedPerMinute === undefined
    ? rateLimits.lead
    : { ...rateLimits.lead, countedPer: ['programKey'], perMinuteOfCredential: keyedPerMinute };

/** Verification chains a program may run per clock hour, from the CLI and dashboard together. */
export const MOST_CHAINS_AN_HOUR = 10;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

export interface RateWindow {
  readonly startSeconds: number;
  readonly resetSeconds: number;
  /** The wait in seconds, at least 1. */
  readonly retryAfterSeconds: number;
}

export const secondWindowAt = (now: Date): RateWindow => windowAt(now, 1);
export const rateWindowAt = (now: Date): RateWindow => windowAt(now, MINUTE_SECONDS);
export const hourWindowAt = (now: Date): RateWindow => windowAt(now, HOUR_SECONDS);

function windowAt(now: Date, windowSeconds: number): RateWindow {
  const nowSeconds = now.getTime() / 1000;
  const startSeconds = Math.floor(nowSeconds / windowSeconds) * windowSeconds;
  const resetSeconds = startSeconds + windowSeconds;
  return { startSeconds, resetSeconds, retryAfterSeconds: Math.max(1, Math.ceil(resetSeconds - nowSeconds)) };
}

/** How many new recipients a workspace may have per day: when new, and once established. */
export interface RecipientLimits {
  readonly atFirst: number;
  readonly later: number;
}
