import type { Operation } from '#lib/wire/openapi/operation.ts';
import { agentRoutes } from '#lib/wire/operations/agent.ts';
import { cliRoutes } from '#lib/wire/operations/cli.ts';
import { codeRoutes } from '#lib/wire/operations/dashboard-codes.ts';
import { factRoutes } from '#lib/wire/operations/dashboard-facts.ts';
import { integrationRoutes } from '#lib/wire/operations/dashboard-integration.ts';
import { payoutRoutes } from '#lib/wire/operations/dashboard-payouts.ts';
import { peopleRoutes } from '#lib/wire/operations/dashboard-people.ts';
import { programRoutes } from '#lib/wire/operations/dashboard-programs.ts';
import { termsRoutes } from '#lib/wire/operations/dashboard-terms.ts';
import { endpointRoutes } from '#lib/wire/operations/dashboard-webhooks.ts';
import { reportRoutes } from '#lib/wire/operations/dashboard-reports.ts';
import { portalFigureRoutes } from '#lib/wire/operations/portal-figures.ts';
import { portalPayoutDetailsRoutes } from '#lib/wire/operations/portal-payout-details.ts';
import { mailRoutes } from '#lib/wire/operations/mail.ts';
import { portalProgramRoutes } from '#lib/wire/operations/portal-programs.ts';
import { clickAndLeadRoutes } from '#lib/wire/operations/track-click-and-lead.ts';
import { saleAndRefundRoutes } from '#lib/wire/operations/track-sale-and-refund.ts';
import { forwardedEventRoutes } from '#lib/wire/operations/track-stripe.ts';
import { webhookRoutes } from '#lib/wire/operations/webhooks.ts';

/** The documentation of each function, by its name in `infra/routes.ts`. */
export const operations: Readonly<Record<string, Operation>> = {
  ...clickAndLeadRoutes,
  ...saleAndRefundRoutes,
  ...forwardedEventRoutes,
  ...cliRoutes,
  ...peopleRoutes,
  ...programRoutes,
  ...codeRoutes,
  ...termsRoutes,
  ...factRoutes,
  ...integrationRoutes,
  ...endpointRoutes,
  ...reportRoutes,
  ...payoutRoutes,
  ...portalFigureRoutes,
  ...portalPayoutDetailsRoutes,
  ...portalProgramRoutes,
  ...agentRoutes,
  ...mailRoutes,
  ...webhookRoutes,
};
