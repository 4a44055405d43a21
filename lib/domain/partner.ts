/** A partner's relation to one program. The same person has one id in all programs of a workspace. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'removed';
  readonly createdAt: string;
}
