import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import { Alarms } from '#infra/aws/alarms.ts';
import { Api } from '#infra/aws/api.ts';
import { bundleFolder } from '#infra/build/bundle.ts';
import { configFrom } from '#lib/service/config/config.ts';
import { DataTable, tableInUse } from '#infra/aws/data-table.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { EdgeSecret } from '#infra/aws/edge-secret.ts';
import { EndpointFunction, type EndpointFunctionProps } from '#infra/aws/endpoint-function.ts';
import { functionEnvironment, signInEnvironment } from '#infra/aws/environment.ts';
import { Exports } from '#infra/aws/exports.ts';
import { type EndpointPermissions, endpointPermissions, FunctionRole, SharedRoles } from '#infra/aws/function-role.ts';
import { consumers, deployers } from '#infra/routes.ts';
import { Secrets } from '#infra/aws/secrets.ts';
import type { Settings } from '#infra/aws/settings.ts';
import { SignIn } from '#infra/aws/sign-in.ts';
import type { Site } from '#infra/build/site.ts';
import { type Stage, stages } from '#infra/aws/stages.ts';
import { StreamConsumer } from '#infra/aws/stream-consumer.ts';
import { Website } from '#infra/aws/website.ts';

export interface ServiceStackProps {
  readonly settings: Settings;
  readonly site: Site;
  /** Default: what `npm run bundle` wrote. */
  readonly codeOf?: (functionName: string) => Code;
}

const bundledCode = (functionName: string): Code =>
  Code.fromAsset(join(bundleFolder, functionName), { exclude: ['*.map'] });

/** CloudFormation cannot remove protected resources, not even when it rolls back a failed creation. */
const stageOf = ({ stage: name, firstDeployment }: Settings): Stage => {
  const stage = stages[name];
  return { ...stage, deletionProtection: stage.deletionProtection && !firstDeployment };
};

/** One installation of the service. */
export class ServiceStack extends Stack {
  readonly #table: ITableV2;
  readonly #log: LogGroup;
  readonly #codeOf: (functionName: string) => Code;
  readonly #functions = new Map<string, EndpointFunction>();

  constructor(scope: Construct, id: string, { settings, site, codeOf = bundledCode }: ServiceStackProps) {
    const stage = stageOf(settings);
    super(scope, id, { terminationProtection: stage.deletionProtection });
    this.#codeOf = codeOf;
    this.#table = tableInUse(new DataTable(this, 'Table', stage), settings.restoredTable);
    // One for all functions, so that a request can be found without knowing its function.
    this.#log = new LogGroup(this, 'Log', { retention: stage.logRetention, removalPolicy: stage.removalPolicy });

    const api = new Api(this, 'Api', stage);
    const signIn = new SignIn(this, 'SignIn', settings, stage);
    const exports = new Exports(this, 'Exports');
    const website = new Website(this, 'Website', {
      ...settings,
      exports: exports.bucket,
      logGroup: this.#log,
      apiHost: api.host,
      edgeSecret: this.#edgeSecret(settings),
      signInOrigin: signIn.origin,
    });
    const openId = signIn.serve(website.url);
    const environment = functionEnvironment(settings, { baseUrl: website.url, tableName: this.#table.tableName });
    website.publish(
      site.files({
        ...signIn.dashboardSettings(openId),
        base_url: website.url,
        stripe_connect: settings.stripeConnectClientId !== undefined,
        currencies: configFrom(environment).currencies,
      }),
      { packageFolder: site.packageFolder, api },
    );

    const secrets = new Secrets(this, 'Secrets', stage);
    const signingIn = { ...environment, ...signInEnvironment(openId) };
    const roles = new SharedRoles(this, 'Roles');
    for (const deployed of deployedFunctions) {
      const permissions = this.#permissions({
        ...deployed,
        furtherPermissions: [...secrets.permissions(deployed), ...exports.permissions(deployed)],
      });
      const role = deployed.takesEvents ? this.#ownRole(deployed.name, permissions) : roles.roleFor(permissions);
      if (deployed.exports) exports.acknowledge(role);
      const endpoint = this.#function(deployed.name, {
        role,
        isHeavy: deployed.isHeavy,
        environment: {
          ...(deployed.signsIn ? signingIn : environment),
          ...secrets.environment(deployed),
          ...exports.environment(deployed),
        },
        concurrency: deployed.isPublic ? settings.publicConcurrency : undefined,
      });
      api.serve(deployed, endpoint);
    }
    const [counters] = consumers.map(({ function: name, tableActions, batchSize, batchWindowSeconds }) => {
      const role = this.#ownRole(name, this.#permissions({ tableActions }));
      const consumer = this.#function(name, { environment, role });
      const batchWindow = Duration.seconds(batchWindowSeconds);
      return new StreamConsumer(this, `${name} source`, { table: this.#table, consumer, batchSize, batchWindow });
    });

    const alarms = new Alarms(this, 'Alarms', {
      api,
      functionLog: this.#log,
      table: this.#table,
      vital: deployedFunctions
        .filter(({ alarmOnThrottle }) => alarmOnThrottle)
        .map(({ name }) => this.#functions.get(name)!),
      counters: counters!,
      email: settings.alarmEmail,
    });
    this.#output({
      BaseUrl: website.url,
      DistributionHost: website.distribution.distributionDomainName,
      ApiHost: api.host,
      TrackerUrl: `${website.url}/js/tracker.js`,
      SignInUrl: signIn.origin,
      OidcIssuer: openId.issuer,
      OidcAudience: openId.audience,
      StripeSecretName: secrets.platformName,
      StripeWebhookUrl: `${website.url}/api/v1/webhooks/stripe`,
      StripeRedirectUrl: `${website.url}/api/dashboard/v1/processor/callback`,
      TableName: this.#table.tableName,
      LogGroupName: this.#log.logGroupName,
      AccessLogGroupName: api.accessLog.logGroupName,
      UncountedQueueUrl: counters!.unprocessed.queueUrl,
      AlarmTopicArn: alarms.topic.topicArn,
      OperationsUrl: alarms.pageUrl,
    });
  }

  #function(name: string, props: Omit<EndpointFunctionProps, 'code' | 'logGroup'>): EndpointFunction {
    const created = new EndpointFunction(this, name, { code: this.#codeOf(name), logGroup: this.#log, ...props });
    this.#functions.set(name, created);
    return created;
  }

  #ownRole(name: string, permissions: readonly PolicyStatement[]): FunctionRole {
    return new FunctionRole(this, `${name} role`, permissions);
  }

  #permissions(of: Pick<EndpointPermissions, 'tableActions'> & Partial<EndpointPermissions>): PolicyStatement[] {
    return endpointPermissions({
      table: this.#table,
      logGroup: this.#log,
      listsByIndex: false,
      listsByPartner: false,
      ...of,
    });
  }

  #edgeSecret({ edgeSecretVersion: version }: Settings): string {
    const [{ function: name, tableActions }] = deployers;
    // It runs before the addresses of the installation are known, and needs none.
    const environment = { TABLE_NAME: this.#table.tableName };
    // For the time-out: it waits for new permissions to propagate.
    const role = this.#ownRole(name, this.#permissions({ tableActions }));
    const maker = this.#function(name, { environment, role, isHeavy: true });
    return new EdgeSecret(this, 'EdgeSecret', { maker, logGroup: this.#log, version }).value;
  }

  #output(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
