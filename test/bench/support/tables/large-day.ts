// The assumptions for a day of a large service. Nothing is random: draws use a seed.

/** Events of the day. */
export const DAY = { click: 100_000_000, lead: 5_000_000, sale: 1_000_000 };
export type Kind = keyof typeof DAY;
export const kinds = Object.keys(DAY) as Kind[];

/** Programs, and links of each, by size: the n-th has 1/n of the first (Zipf). Each link has a separate partner. */
export const PROGRAMS = 2_000;
export const LINKS = 500;
/** Between its quietest and busiest hour a day varies by this share around its mean. */
const SWING = 0.7;
/** At noon, the busiest time, a newsletter of the first program multiplies its clicks by this for an hour. */
const CAMPAIGN = { from: 12 * 3_600, seconds: 3_600, times: 5 };

export const SECONDS = 86_400;
export const everySecond = <T>(look: (second: number) => T): T[] =>
  Array.from({ length: SECONDS }, (_, second) => look(second));
/** The busiest second of the day, at noon. */
export const BUSIEST_SECOND = CAMPAIGN.from;

/** Shares by rank, if the n-th is 1/n. @param from the n of the first one */
function shares(count: number, from = 1): number[] {
  const parts = Array.from({ length: count }, (_, n) => 1 / (n + from));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / all);
}
const [firstProgramShare = 0] = shares(PROGRAMS);

/** Events per second: for the first program, and for all others. */
export interface Rate {
  readonly first: number;
  readonly others: number;
}

export function rateAt(kind: Kind, second: number): Rate {
  const all = (DAY[kind] / SECONDS) * (1 - SWING * Math.cos((2 * Math.PI * second) / SECONDS));
  const isCampaign = second >= CAMPAIGN.from && second < CAMPAIGN.from + CAMPAIGN.seconds;
  const times = kind === 'click' && isCampaign ? CAMPAIGN.times : 1;
  return { first: all * firstProgramShare * times, others: all * (1 - firstProgramShare) };
}

/** An event's program and link by rank, from 0. */
export interface Drawn {
  readonly program: number;
  readonly link: number;
}

/** Draws events at this rate, the same ones each time. */
export function drawing({ first, others }: Rate): () => Drawn {
  const [isFirst, program, link] = [chance(1), drawn(shares(PROGRAMS - 1, 2), 2), drawn(shares(LINKS), 3)];
  return () => ({ program: isFirst() < first / (first + others) ? 0 : 1 + program(), link: link() });
}

/** Draws ranks by their shares. */
function drawn(of: readonly number[], seed: number): () => number {
  const draw = chance(seed);
  return () => {
    let left = draw();
    const place = of.findIndex((share) => (left -= share) < 0);
    return place === -1 ? of.length - 1 : place;
  };
}

/** A linear congruential generator, which is sufficient for a model. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
