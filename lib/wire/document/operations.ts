import type { Operation } from '#lib/wire/document/operation.ts';
import { agentRoutes } from '#lib/wire/programs/agent-operations.ts';
import { cliRoutes } from '#lib/wire/people/cli-operations.ts';
import { brandRoutes } from '#lib/wire/programs/brand/brand-operations.ts';
import { codeRoutes } from '#lib/wire/programs/codes/dashboard-codes-operations.ts';
import { factRoutes } from '#lib/wire/outbox/dashboard-facts-operations.ts';
import { integrationRoutes } from '#lib/wire/reports/dashboard-integration-operations.ts';
import { statementRoutes } from '#lib/wire/reports/statement-operations.ts';
import { payoutFilesRoutes } from '#lib/wire/earnings/payout-files-operations.ts';
import { payoutLinesRoutes } from '#lib/wire/earnings/payout-lines-operations.ts';
import { payoutRoutes } from '#lib/wire/earnings/dashboard-payouts-operations.ts';
import { peopleRoutes } from '#lib/wire/people/dashboard-people-operations.ts';
import { programRoutes } from '#lib/wire/programs/dashboard-programs-operations.ts';
import { termsRoutes } from '#lib/wire/programs/dashboard-terms-operations.ts';
import { customerRoutes } from '#lib/wire/traffic/dashboard-customers-operations.ts';
import { endpointRoutes } from '#lib/wire/outbox/dashboard-webhooks-operations.ts';
import { reportRoutes } from '#lib/wire/reports/dashboard-reports-operations.ts';
import { portalFigureRoutes } from '#lib/wire/reports/portal-figures-operations.ts';
import { portalPayoutDetailsRoutes } from '#lib/wire/partners/portal-payout-details-operations.ts';
import { mailRoutes } from '#lib/wire/outbox/mail-operations.ts';
import { portalProgramRoutes } from '#lib/wire/partners/portal-programs-operations.ts';
import { clickRoutes } from '#lib/wire/traffic/track-click-operations.ts';
import { leadRoutes } from '#lib/wire/conversions/track-lead-operations.ts';
import { saleAndRefundRoutes } from '#lib/wire/conversions/track-sale-and-refund-operations.ts';
import { forwardedEventRoutes } from '#lib/wire/conversions/track-stripe-operations.ts';
import { webhookRoutes } from '#lib/wire/outbox/webhooks-operations.ts';

const documented = {
  ...clickRoutes,
  ...leadRoutes,
  ...saleAndRefundRoutes,
  ...forwardedEventRoutes,
  ...cliRoutes,
  ...peopleRoutes,
  ...programRoutes,
  ...brandRoutes,
  ...codeRoutes,
  ...termsRoutes,
  ...factRoutes,
  ...integrationRoutes,
  ...endpointRoutes,
  ...reportRoutes,
  ...customerRoutes,
  ...payoutRoutes,
  ...payoutLinesRoutes,
  ...payoutFilesRoutes,
  ...statementRoutes,
  ...portalFigureRoutes,
  ...portalPayoutDetailsRoutes,
  ...portalProgramRoutes,
  ...agentRoutes,
  ...mailRoutes,
  ...webhookRoutes,
} satisfies Readonly<Record<string, Operation>>;

/** The names of documented functions. A route to a function that is not in this list does not compile. */
export type DocumentedFunction = keyof typeof documented;

/** The documentation of each function, by its name in `infra/routes.ts`. */
export const operations: Readonly<Record<string, Operation>> = documented;
