import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';

/**
 * Applications of a program and day, in UTC, that are listed from one network, or from one domain of mail. Further ones
 * wait in the queue.
 */
export const MOST_APPLICATIONS_OF_A_SOURCE = 10;

/** Applications leave the other half of the list to people whom the brand invites. */
const MOST_LISTED = MOST_PARTNERS / 2;

/** Whether all further applications wait in the queue. */
export const isListFull = ({ candidateCount = 0 }: Pick<Program, 'candidateCount'>): boolean =>
  candidateCount >= MOST_LISTED;
