import { DAY_MS } from '#lib/service/ground/values/day.ts';

/** The state of a brand's account at the processor. */
export interface AccountFlags {
  readonly chargesEnabled: boolean;
  readonly payoutsEnabled: boolean;
  readonly detailsSubmitted: boolean;
}

/** A brand's account on the card processor. It may serve several programs of one workspace, never two workspaces. */
export interface ProcessorAccount extends AccountFlags {
  readonly accountId: string;
  readonly workspaceId: number;
  readonly programIds: readonly number[];
  readonly livemode: boolean;
  /** Time of the event that set the flags; older events are ignored. */
  readonly flagsAt: string;
}

/** A signing secret as it is stored: encrypted, with the time until which a replaced one stays valid. */
interface SigningSecret {
  readonly sealed: string;
  /** The time until which a replaced secret stays valid; absent for the current one. */
  readonly validUntil?: string;
}

/**
 * How a program is connected to the card processor. A program may use both ways together: a payment that both report is
 * recognized by its ids and counts once.
 */
export interface ProcessorLink {
  readonly connectedAt: string;
  /** Set if the program is connected through the platform's endpoint. */
  readonly accountId?: string;
  /** Signing secrets of the program's own endpoint, newest first. */
  readonly signingSecrets?: readonly SigningSecret[];
}

export type ProcessorMode = 'connect' | 'direct';

export const processorModeOf = (link: ProcessorLink | undefined): ProcessorMode | null => {
  if (link?.accountId) return 'connect';
  return link?.signingSecrets?.length ? 'direct' : null;
};

/** How long a replaced secret stays valid, so that the brand can rotate it without losing an event. */
const ROLL_OVER_MS = DAY_MS;
const MOST_SECRETS = 5;

const isValid = ({ validUntil }: SigningSecret, now: Date): boolean =>
  validUntil === undefined || Date.parse(validUntil) > now.getTime();

/** Encrypted secrets that are valid now. */
export const validSecrets = (link: ProcessorLink | undefined, now: Date): readonly string[] =>
  (link?.signingSecrets ?? []).filter((secret) => isValid(secret, now)).map(({ sealed }) => sealed);

/** Adds a signing secret before the former ones that are still valid. */
export function withSigningSecret(link: ProcessorLink | undefined, sealed: string, now: Date): ProcessorLink {
  const validUntil = new Date(now.getTime() + ROLL_OVER_MS).toISOString();
  const former = (link?.signingSecrets ?? [])
    .filter((secret) => isValid(secret, now))
    .map((secret) => ({ validUntil, ...secret }));
  return {
    ...link,
    connectedAt: link?.connectedAt ?? now.toISOString(),
    signingSecrets: [{ sealed }, ...former].slice(0, MOST_SECRETS),
  };
}

export const withAccount = (link: ProcessorLink | undefined, accountId: string, now: Date): ProcessorLink => ({
  ...link,
  connectedAt: link?.connectedAt ?? now.toISOString(),
  accountId,
});

/** The connection without the platform account; undefined if nothing else remains of it. */
export const withoutAccount = ({ accountId: _gone, ...rest }: ProcessorLink): ProcessorLink | undefined =>
  rest.signingSecrets ? rest : undefined;

/** How long a person has to complete the processor's own pages. */
const CONNECT_MS = 10 * 60_000;

export const connectExpirySeconds = (startedAt: Date): number => Math.ceil((startedAt.getTime() + CONNECT_MS) / 1000);

/** Ids of processed events are stored for 90 days; events that wait for their sale or payment intent, for 30. */
const EVENT_MEMORY_DAYS = 90;
export const WAITING_DAYS = 30;

const daysLater = (now: Date, days: number): number => Math.ceil((now.getTime() + days * DAY_MS) / 1000);

export const eventForgottenAtSeconds = (now: Date): number => daysLater(now, EVENT_MEMORY_DAYS);
export const waitingForgottenAtSeconds = (now: Date): number => daysLater(now, WAITING_DAYS);
