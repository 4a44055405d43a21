import type { CommissionTerms, CommissionType } from '#lib/domain/commission.ts';

type LeadAuth = 'server_required' | 'browser_allowed';

/** A brand's program. Times are ISO 8601. */
export interface Program {
  readonly id: number;
  readonly workspaceId: number;
  readonly slug: string;
  readonly name: string;
  readonly domain: string;
  readonly status: 'active' | 'paused';
  readonly commissionType: CommissionType;
  readonly commissionRate: number;
  readonly durationMonths?: number;
  readonly attributionWindowDays: number;
  readonly leadAuth: LeadAuth;
  readonly allowedOrigins: readonly string[];
  readonly holdPeriodDays: number;
  readonly autoApprove: boolean;
  /** Partners whose relation to the program ended; here, so that a sale sees it with the program's own read. */
  readonly removedPartnerIds: readonly number[];
  /** Random, per program: hashes of e-mail addresses cannot be joined across programs. */
  readonly emailSalt: string;
  /** SHA-256 of the program key in force. */
  readonly keyHash: string;
  readonly keyMasked: string;
  /** When an owner last generated the key; absent until then. */
  readonly keyRotatedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const termsOf = (program: Program, platformFeeBps: number): CommissionTerms => ({
  commissionType: program.commissionType,
  commissionRate: program.commissionRate,
  durationMonths: program.durationMonths,
  holdPeriodDays: program.holdPeriodDays,
  platformFeeBps,
});

/** The name in lower case with `-` between runs of letters and digits; not unique. */
export const slugOf = (name: string, programId: number): string =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['program', String(programId)]).join('-');
