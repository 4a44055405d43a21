import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ServiceStack, type ServiceStackProps } from '#infra/aws/service-stack.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import type { Variables } from '#lib/service/ground/config/config.ts';

interface ServiceAppProps extends AppProps, Pick<ServiceStackProps, 'site' | 'codeOf'> {
  /** Environment variables of the process. Default: none. */
  readonly variables?: Variables;
  /** Folder of the stages' files. Default: there are none. */
  readonly stagesFolder?: string;
}

/** The CDK app: one stack per stage, checked by cdk-nag and the CloudFormation rules. */
export function serviceApp({ site, codeOf, variables, stagesFolder, ...props }: ServiceAppProps): App {
  const app = new App(props);
  const settings = settingsFrom(app.node, variables, stagesFolder);
  new ServiceStack(app, `ReferralTracking-${settings.stage}`, { settings, site, codeOf });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
