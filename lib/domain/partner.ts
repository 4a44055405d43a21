export const partnerStatuses = ['active', 'removed'] as const;

/**
 * Programs in which a partner's name and e-mail are changed at once. A transaction of the table takes 100 writes, of
 * which two are for the former and the new e-mail.
 */
export const MOST_CHANGED_PROGRAMS = 98;

/** A partner's relation to one program. The same person has one id in all programs of a workspace. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  readonly email: string;
  readonly status: (typeof partnerStatuses)[number];
  /** Short links, oldest first; also those of them that are inactive. */
  readonly links: readonly string[];
  /** Why this partner gets no mails; absent: it does. It follows a little later. */
  readonly mail?: 'refused' | 'suppressed';
  readonly createdAt: string;
}
