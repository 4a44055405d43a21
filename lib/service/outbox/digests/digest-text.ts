import type { ProgramDigest } from '#lib/service/people/mail/owner-digest.ts';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const waits = (count: number): string => (count === 1 ? 'waits' : 'wait');
const listText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The digest's text about one program, with a line for each kind of decision. */
export const digestText = (program: ProgramDigest): string =>
  [`${program.programName}:`, ...applicationLine(program), ...queueLine(program), ...heldLine(program)].join('\n');

function applicationLine({ applications, names }: ProgramDigest): string[] {
  if (applications === 0) return [];
  const unnamed = applications - names.length;
  const people = listText([...names, ...(unnamed > 0 ? [`${unnamed} more`] : [])]);
  return [`${counted(applications, 'application')} ${waits(applications)} for your decision, of ${people}.`];
}

function queueLine({ applications, queued }: ProgramDigest): string[] {
  if (queued === 0) return [];
  const what = applications > 0 ? `${queued} more` : counted(queued, 'application');
  return [`${what} ${waits(queued)} in the queue: many came from one network, or one domain of mail.`];
}

const heldLine = ({ held }: ProgramDigest): string[] =>
  held === 0
    ? []
    : [`${counted(held, 'commission')} held by a rule ${waits(held)} for your review. None is in a payout before.`];

export function digestSubject(programs: readonly ProgramDigest[]): string {
  const sum = (of: (program: ProgramDigest) => number) => programs.reduce((total, one) => total + of(one), 0);
  const applications = sum((one) => one.applications + one.queued);
  const held = sum((one) => one.held);
  const parts = [
    ...(applications > 0 ? [counted(applications, 'application')] : []),
    ...(held > 0 ? [counted(held, 'held commission')] : []),
  ];
  return `${parts.join(' and ')} ${waits(applications + held)} for you`;
}

/**
 * The link in the digest. It leads to the page with the decisions if only one program is affected, otherwise to the
 * start page.
 */
export function digestAction(programs: readonly ProgramDigest[], site: string): { label: string; url: string } {
  const [first, ...others] = programs;
  if (!first || others.length > 0) return { label: 'See your programs', url: site };
  const url = `${site}/programs/${first.programId}`;
  return first.applications + first.queued > 0
    ? { label: 'See the applications', url: `${url}/partners?status=applied` }
    : { label: 'Review held commissions', url: `${url}/commissions?status=held` };
}
