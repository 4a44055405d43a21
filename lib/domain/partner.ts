export const partnerStatuses = ['active', 'removed'] as const;

/** A partner's relation to one program. The same person has one id in all programs of a workspace. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  readonly email: string;
  readonly status: (typeof partnerStatuses)[number];
  /** Short links, oldest first; also those of them that are inactive. */
  readonly links: readonly string[];
  readonly createdAt: string;
}
