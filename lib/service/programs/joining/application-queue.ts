import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';

/**
 * Maximum applications per program and day (UTC) that are listed from one network, or from one mail domain. Further
 * applications wait in the queue.
 */
export const MOST_APPLICATIONS_OF_A_SOURCE = 10;

/**
 * An application is listed at once only while fewer invited people and applicants than this are listed. The other half
 * of the list is left to people whom the brand invites.
 */
const MOST_LISTED = MOST_PARTNERS / 2;

/** Whether all further applications wait in the queue. */
export const isListFull = ({ candidateCount = 0 }: Pick<Program, 'candidateCount'>): boolean =>
  candidateCount >= MOST_LISTED;
