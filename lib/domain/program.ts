import type { CommissionTerms, CommissionType } from '#lib/domain/commission.ts';
import type { ProcessorLink } from '#lib/domain/processor.ts';

export const leadPolicies = ['server_required', 'browser_allowed'] as const;
type LeadAuth = (typeof leadPolicies)[number];

export const programStatuses = ['active', 'paused'] as const;

export const MOST_PARTNERS = 10_000;
export const MOST_LINKS = 20_000;

/** A brand's program. Times are ISO 8601. */
export interface Program {
  readonly id: number;
  readonly workspaceId: number;
  readonly slug: string;
  readonly name: string;
  readonly domain: string;
  readonly status: (typeof programStatuses)[number];
  readonly commissionType: CommissionType;
  readonly commissionRate: number;
  /** 0 or absent = lifetime. */
  readonly durationMonths?: number;
  readonly attributionWindowDays: number;
  readonly leadAuth: LeadAuth;
  readonly allowedOrigins: readonly string[];
  readonly holdPeriodDays: number;
  readonly autoApprove: boolean;
  /** Partners ever added, removed ones included. */
  readonly partnerCount: number;
  /** Removed partners; stored here, so that a sale needs no further read. */
  readonly removedPartnerIds: readonly number[];
  /** Random, per program: hashes of e-mail addresses cannot be joined across programs. */
  readonly emailSalt: string;
  /** SHA-256 of the program key in force. */
  readonly keyHash: string;
  readonly keyMasked: string;
  /** When an owner last generated the key; absent until then. */
  readonly keyRotatedAt?: string;
  /** Absent: connected to no card processor. */
  readonly processor?: ProcessorLink;
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

export const activePartnerCount = ({ partnerCount, removedPartnerIds }: Program): number =>
  partnerCount - removedPartnerIds.length;

/** The name in lower case with `-` between runs of letters and digits; not unique. */
export const slugOf = (name: string, programId: number): string =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['program', String(programId)]).join('-');
