import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import { Api } from '#infra/api.ts';
import { bundleFolder } from '#infra/bundle.ts';
import { DataTable } from '#infra/data-table.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { EndpointFunction } from '#infra/endpoint-function.ts';
import { functionEnvironment, signInEnvironment } from '#infra/environment.ts';
import { Identity } from '#infra/identity.ts';
import { consumers } from '#infra/routes.ts';
import { Secrets } from '#infra/secrets.ts';
import type { Settings } from '#infra/settings.ts';
import { stages } from '#infra/stages.ts';
import { StreamConsumer } from '#infra/stream-consumer.ts';

export interface ServiceStackProps {
  readonly settings: Settings;
  /** Default: what `npm run bundle` wrote. */
  readonly codeOf?: (functionName: string) => Code;
}

const bundledCode = (functionName: string): Code =>
  Code.fromAsset(join(bundleFolder, functionName), { exclude: ['*.map'] });

/** One installation of the service. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, codeOf = bundledCode }: ServiceStackProps) {
    const stage = stages[settings.stage];
    super(scope, id, { terminationProtection: stage.deletionProtection });

    const table = new DataTable(this, 'Table', stage);
    const api = new Api(this, 'Api', stage);
    const environment = functionEnvironment(settings, { apiUrl: api.url, tableName: table.tableName });
    const { DASHBOARD_URL: dashboardUrl } = environment;
    const openId = settings.openId ?? new Identity(this, 'Identity', { ...settings, stage, dashboardUrl }).openId;
    const signingIn = { ...environment, ...signInEnvironment(openId) };
    const secrets = new Secrets(this, 'Secrets', stage);
    // One for all functions: whoever looks for a request need not know which function it met.
    const logGroup = new LogGroup(this, 'Log', { retention: stage.logRetention, removalPolicy: stage.removalPolicy });

    for (const deployed of deployedFunctions) {
      const { name, signsIn } = deployed;
      const props = {
        ...deployed,
        code: codeOf(name),
        environment: { ...(signsIn ? signingIn : environment), ...secrets.environment(deployed) },
        table,
        logGroup,
        furtherPermissions: secrets.permissions(deployed),
      };
      api.serve(deployed, new EndpointFunction(this, name, props));
    }

    for (const { function: name, tableActions, batchSize } of consumers) {
      const props = { code: codeOf(name), environment, table, logGroup, tableActions, listsByIndex: false };
      const consumer = new EndpointFunction(this, name, props);
      new StreamConsumer(this, `${name} source`, { table, consumer, batchSize });
    }

    new CfnOutput(this, 'BaseUrl', { value: environment.BASE_URL });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'StripeSecretName', { value: secrets.platformName });
    new CfnOutput(this, 'OidcIssuer', { value: openId.issuer });
    new CfnOutput(this, 'OidcAudience', { value: openId.audience });
  }
}
