/** A program that takes applications, as its join route shows it to everybody. */
export interface JoinProgram {
  readonly program_id: number;
  readonly name: string;
  readonly domain: string;
  readonly commission: string;
  readonly window_days: number;
  readonly hold_period_days: number;
  readonly join: 'apply' | 'open';
  readonly terms: { readonly version: number; readonly text: string } | null;
}
