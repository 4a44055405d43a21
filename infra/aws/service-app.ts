import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { compareWithDeployed, type DeployedSource } from '#infra/aws/deployment/deployed-settings.ts';
import { ServiceStack, type ServiceStackProps } from '#infra/aws/service-stack.ts';
import { settingsFrom } from '#infra/aws/settings.ts';

interface ServiceAppProps extends AppProps, Pick<ServiceStackProps, 'codeOf'> {
  /** Builds the published files. It is called after the settings have been validated. */
  readonly site: () => Promise<ServiceStackProps['site']>;
  /** Folder of the stages' files. Default: there are none. */
  readonly stagesFolder?: string;
  /** How the deployed settings are read. Default: the settings are not compared with deployed ones. */
  readonly deployed?: DeployedSource;
}

/**
 * The CDK app: one stack per stage, checked by cdk-nag and the CloudFormation rules.
 * @throws Error for an invalid setting, and for a setting that would be weaker than the deployed one
 */
export async function serviceApp({ site, codeOf, stagesFolder, deployed, ...props }: ServiceAppProps): Promise<App> {
  const app = new App(props);
  const settings = settingsFrom(app.node, deployed?.variables, stagesFolder);
  if (deployed) await compareWithDeployed(app.node, settings, deployed);
  new ServiceStack(app, `ReferralTracking-${settings.stage}`, { settings, site: await site(), codeOf });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
