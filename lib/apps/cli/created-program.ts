/** What the service answers when a program was created. */
export interface CreatedProgram {
  readonly program_id: number;
  readonly name: string;
  readonly domain: string;
  readonly commission_type: string;
  readonly commission_rate: number;
  /** Absent or 0: for as long as the customer pays. */
  readonly duration_months?: number | null;
  readonly attribution_window_days: number;
  readonly lead_auth: string;
  /** Where an owner generates the program key. */
  readonly api_key_url: string;
}

/** `20% of each sale, renewals for 12 months`. */
export function commissionText({
  commission_type: type,
  commission_rate: rate,
  duration_months: months,
}: Pick<CreatedProgram, 'commission_type' | 'commission_rate' | 'duration_months'>): string {
  const each = type.endsWith('percent') ? `${rate}% of each sale` : `${rate} (in units of the currency) per sale`;
  if (!type.startsWith('recurring')) return `${each}, renewals excluded`;
  return `${each}, renewals ${months ? `for ${months} months` : 'included'}`;
}
