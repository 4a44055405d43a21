import type { Operation } from '#infra/openapi/operation.ts';
import { agentRoutes } from '#infra/openapi/routes/agent.ts';
import { cliRoutes } from '#infra/openapi/routes/cli.ts';
import { integrationRoutes } from '#infra/openapi/routes/dashboard-integration.ts';
import { payoutRoutes } from '#infra/openapi/routes/dashboard-payouts.ts';
import { peopleRoutes } from '#infra/openapi/routes/dashboard-people.ts';
import { programRoutes } from '#infra/openapi/routes/dashboard-programs.ts';
import { reportRoutes } from '#infra/openapi/routes/dashboard-reports.ts';
import { clickAndLeadRoutes } from '#infra/openapi/routes/track-click-and-lead.ts';
import { saleAndRefundRoutes } from '#infra/openapi/routes/track-sale-and-refund.ts';
import { webhookRoutes } from '#infra/openapi/routes/webhooks.ts';

/** What the document says of each function, by its name in `infra/routes.ts`. */
export const operations: Readonly<Record<string, Operation>> = {
  ...clickAndLeadRoutes,
  ...saleAndRefundRoutes,
  ...cliRoutes,
  ...peopleRoutes,
  ...programRoutes,
  ...integrationRoutes,
  ...reportRoutes,
  ...payoutRoutes,
  ...agentRoutes,
  ...webhookRoutes,
};
