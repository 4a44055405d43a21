// What is assumed about a day of a large service. Every run gives the same result, because random numbers have a fixed
// seed.

/** How many events of each kind the day has. */
export const DAY = { click: 100_000_000, lead: 5_000_000, sale: 1_000_000 };
export type Kind = keyof typeof DAY;
export const kinds = Object.keys(DAY) as Kind[];

/**
 * Number of programs, and of links per program. The n-th largest one has 1/n of the events of the largest one (Zipf's
 * law). Each link has a different partner.
 */
export const PROGRAMS = 2_000;
export const LINKS = 500;
/**
 * How far the number of events per hour is above its mean in the busiest hour, and below it in the quietest: 70
 * percent.
 */
const SWING = 0.7;
/** At noon, the busiest time, the first program sends a newsletter: for an hour, it has five times as many clicks. */
const CAMPAIGN = { from: 12 * 3_600, seconds: 3_600, times: 5 };

export const SECONDS = 86_400;
export const everySecond = <T>(look: (second: number) => T): T[] =>
  Array.from({ length: SECONDS }, (_, second) => look(second));
/** The second with the most events of the day, at noon. */
export const BUSIEST_SECOND = CAMPAIGN.from;

/** Returns the shares of programs or links by rank: the n-th has 1/n. @param from the rank of the first one */
function shares(count: number, from = 1): number[] {
  const parts = Array.from({ length: count }, (_, n) => 1 / (n + from));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / all);
}
const [firstProgramShare = 0] = shares(PROGRAMS);

/** Events per second: those of the first program, and those of all others. */
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

/** The program and the link of an event, as ranks from 0. */
export interface Drawn {
  readonly program: number;
  readonly link: number;
}

/** Returns a function that draws events at this rate. The sequence is always the same. */
export function drawing({ first, others }: Rate): () => Drawn {
  const [isFirst, program, link] = [chance(1), drawn(shares(PROGRAMS - 1, 2), 2), drawn(shares(LINKS), 3)];
  return () => ({ program: isFirst() < first / (first + others) ? 0 : 1 + program(), link: link() });
}

/** Returns a function that draws ranks, each with the probability of its share. */
function drawn(of: readonly number[], seed: number): () => number {
  const draw = chance(seed);
  return () => {
    let left = draw();
    const place = of.findIndex((share) => (left -= share) < 0);
    return place === -1 ? of.length - 1 : place;
  };
}

/** Returns a linear congruential generator, whose numbers are random enough for a model. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
