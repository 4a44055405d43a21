import { processorModeOf } from '#lib/service/programs/program/processor.ts';
import { activePartnerCount } from '#lib/service/programs/program/program.ts';
import type { ProgramStatus } from '#lib/service/reports/figures/status-of.ts';
import type * as wire from '#lib/wire/programs/program.ts';

/** The health of a program, as the command line shows it. */
export const statusReply = ({
  facts: { program },
  readiness,
  lastDay,
  pendingCommissions,
  chargesEnabled,
}: ProgramStatus): wire.ProgramHealth => ({
  program_id: program.id,
  name: program.name,
  domain: program.domain,
  stripe_connected: processorModeOf(program.processor) !== null,
  stripe_charges_enabled: chargesEnabled,
  recent_events: { clicks_24h: lastDay.clicks, leads_24h: lastDay.leads, sales_24h: lastDay.sales },
  active_partners: activePartnerCount(program),
  pending_commissions: pendingCommissions,
  lead_auth: program.leadAuth,
  integration_verified: readiness.isVerified,
});
