import { Duration, NestedStack, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { Alarms } from '#infra/aws/alarms/alarms.ts';
import { Api } from '#infra/aws/endpoints/api.ts';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { Backups } from '#infra/aws/data/backups.ts';
import { DataTable, tableInUse } from '#infra/aws/data/data-table.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { EdgeSecret } from '#infra/aws/site/edge-secret.ts';
import { bundledCode, type EndpointFunction, sizeOf } from '#infra/aws/endpoints/endpoint-function.ts';
import { functionEnvironment, signInEnvironment } from '#infra/aws/endpoints/environment.ts';
import { Exports } from '#infra/aws/data/exports.ts';
import {
  canary,
  type Consumer,
  counters,
  deliverer,
  deployers,
  mailFeedback,
  outbox,
  schedules,
} from '#infra/routes.ts';
import { publishOutputs } from '#infra/aws/deployment/outputs.ts';
import { Mail } from '#infra/aws/people/mail.ts';
import type { MailParts } from '#infra/aws/alarms/mail-alarms.ts';
import type { OutboxParts } from '#infra/aws/alarms/webhook-alarms.ts';
import { runEvery } from '#infra/aws/endpoints/run-every.ts';
import { Secrets } from '#infra/aws/data/secrets.ts';
import { ServiceFunctions } from '#infra/aws/endpoints/service-functions.ts';
import type { Settings } from '#infra/aws/settings.ts';
import { SignIn } from '#infra/aws/people/sign-in.ts';
import type { Site } from '#infra/build/site.ts';
import { stageOf } from '#infra/aws/stages.ts';
import { StreamConsumer } from '#infra/aws/endpoints/stream-consumer.ts';
import { WakeQueue } from '#infra/aws/endpoints/wake-queue.ts';
import { Website } from '#infra/aws/site/website.ts';

export interface ServiceStackProps {
  readonly settings: Settings;
  readonly site: Site;
  /** Returns the code of a function. Default: the output of `npm run bundle`. */
  readonly codeOf?: (functionName: string) => Code;
}

/** Properties of a function that the list of routes does not contain. */
interface Extras {
  readonly environment: Readonly<Record<string, string>>;
  readonly furtherPermissions?: readonly PolicyStatement[];
}

/** One installation of the service. */
export class ServiceStack extends Stack {
  readonly #table: ITableV2;
  readonly #log: LogGroup;
  readonly #functions: ServiceFunctions;

  constructor(scope: Construct, id: string, { settings, site, codeOf = bundledCode }: ServiceStackProps) {
    const stage = stageOf(settings);
    super(scope, id, { terminationProtection: stage.deletionProtection });
    this.#table = tableInUse(new DataTable(this, 'Table', stage, settings), settings.restoredTable);
    if (settings.backupVaultArn) {
      new Backups(this, 'Backups', { ...stage, table: this.#table, copyVaultArn: settings.backupVaultArn });
    }
    // All functions write to one log, so that a request can be found without knowing which function served it.
    this.#log = new LogGroup(this, 'Log', { retention: stage.logRetention, removalPolicy: stage.removalPolicy });
    this.#functions = new ServiceFunctions(this, { table: this.#table, log: this.#log, codeOf });

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
    const secrets = new Secrets(this, 'Secrets', stage, settings);
    const signingIn = { ...environment, ...signInEnvironment(openId) };
    const wakes = new WakeQueue(this.#functions.stackOf(deliverer.function), 'Wakes');
    for (const deployed of deployedFunctions) {
      const furtherPermissions = [secrets, exports, wakes].flatMap((each) => each.permissions(deployed));
      const permissions = this.#functions.permissions(deployed, furtherPermissions);
      const role = deployed.takesEvents
        ? this.#functions.ownRole(deployed.name, permissions)
        : this.#functions.sharedRole(deployed.name, permissions);
      if (deployed.uses.includes('exports')) exports.acknowledge(role);
      const endpoint = this.#functions.create(deployed.name, {
        role,
        size: sizeOf(deployed),
        environment: {
          ...(deployed.uses.includes('signIn') ? signingIn : environment),
          ...secrets.environment(deployed),
          ...exports.environment(deployed),
          ...wakes.environment(deployed),
        },
        concurrency: deployed.uses.includes('public') ? settings.publicConcurrency : undefined,
      });
      api.serve(deployed, endpoint);
    }
    const counting = this.#consumer(counters, { environment });
    const rebuild = this.#scheduled(schedules[1], { environment });
    const mail = settings.mail && new Mail(this.#functions.stackOf(mailFeedback.function), 'Mail', settings.mail);
    const outgoing = this.#outbox({
      environment: { ...environment, ...mail?.environment, ...wakes.environment(outbox) },
      furtherPermissions: [...(mail ? [mail.permission] : []), ...wakes.permissions(outbox)],
    });
    const sender = this.#deliverer(secrets, wakes, environment);
    wakes.feed(sender, settings.webhookConcurrency);
    if (settings.canary) this.#canary(secrets, environment);
    const { currencies, productName } = configFrom(environment);
    website.publish(
      [
        ...site.files(
          {
            ...signIn.dashboardSettings(openId),
            base_url: website.url,
            product_name: productName,
            stripe_connect: settings.stripeConnectClientId !== undefined,
            currencies,
          },
          settings.securityContact,
        ),
        ...(site.documents ?? []),
      ],
      { packageFolder: site.packageFolder, endpoints: [api, ...this.#functions.nestedStacks] },
    );

    const alarms = new Alarms(new NestedStack(this, 'Alarms'), 'Alarms', {
      api,
      functionLog: this.#log,
      table: this.#table,
      vital: deployedFunctions
        .filter(({ uses }) => uses.includes('alarm'))
        .map(({ name }) => this.#functions.named(name)),
      counters: counting,
      rebuild,
      outbox: outgoing,
      webhooks: { sender, wakes },
      mail: mail && this.#mailFeedback(mail, environment),
      hasCanary: settings.canary,
      vaultKeyArn: secrets.keyArn,
      email: settings.alarmEmail,
      monthlyBudgetUsd: settings.monthlyBudgetUsd,
    });
    publishOutputs(this, settings, {
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
      UncountedQueueUrl: counting.unprocessed.queueUrl,
      OutboxQueueUrl: outgoing.consumer.unprocessed.queueUrl,
      FailedWakesQueueUrl: wakes.failed.queueUrl,
      AlarmTopicArn: alarms.topic.topicArn,
      OperationsUrl: alarms.pageUrl,
      ...(secrets.canaryName !== undefined && { CanarySecretName: secrets.canaryName }),
      ...mail?.outputs,
    });
  }

  #consumer(of: Consumer, { environment, furtherPermissions }: Extras): StreamConsumer {
    const { function: name, batchSize, batchWindowSeconds, records } = of;
    const role = this.#functions.ownRole(name, this.#functions.permissions(of, furtherPermissions));
    const consumer = this.#functions.create(name, { environment, role, size: sizeOf(of) });
    const batchWindow = Duration.seconds(batchWindowSeconds);
    const source = { table: this.#table, consumer, batchSize, batchWindow, records };
    return new StreamConsumer(this.#functions.stackOf(name), `${name} source`, source);
  }

  /**
   * Creates the functions that turn changes into facts and send mails, and the scheduled function that retries both.
   */
  #outbox(extras: Extras): OutboxParts {
    return { consumer: this.#consumer(outbox, extras), scheduled: this.#scheduled(schedules[0], extras) };
  }

  #scheduled(schedule: (typeof schedules)[number], { environment, furtherPermissions }: Extras): EndpointFunction {
    const { function: name, everyMinutes } = schedule;
    const role = this.#functions.ownRole(name, this.#functions.permissions(schedule, furtherPermissions));
    const scheduled = this.#functions.create(name, { environment, role, size: sizeOf(schedule) });
    runEvery(everyMinutes, scheduled);
    return scheduled;
  }

  /** Creates the canary: the function that tests the installation from outside. */
  #canary(secrets: Secrets, environment: Readonly<Record<string, string>>): void {
    const { function: name, everyMinutes } = canary;
    const role = this.#functions.ownRole(name, this.#functions.permissions(canary, secrets.permissions(canary)));
    const variables = { ...environment, ...secrets.environment(canary) };
    runEvery(everyMinutes, this.#functions.create(name, { role, environment: variables, size: 'sending' }));
  }

  /** Creates the function that sends webhooks to the endpoints of brands. */
  #deliverer(secrets: Secrets, wakes: WakeQueue, environment: Readonly<Record<string, string>>): EndpointFunction {
    const { function: name } = deliverer;
    const furtherPermissions = [...secrets.permissions(deliverer), ...wakes.permissions(deliverer), wakes.receiving];
    return this.#functions.create(name, {
      role: this.#functions.ownRole(name, this.#functions.permissions(deliverer, furtherPermissions)),
      environment: { ...environment, ...secrets.environment(deliverer), ...wakes.environment(deliverer) },
      size: 'sending',
    });
  }

  /** Creates the function that processes bounces and complaints. */
  #mailFeedback(mail: Mail, environment: Readonly<Record<string, string>>): MailParts {
    const role = this.#functions.ownRole(
      mailFeedback.function,
      this.#functions.permissions(mailFeedback, [mail.feedbackPermission]),
    );
    mail.tell(this.#functions.create(mailFeedback.function, { environment, role }));
    return mail;
  }

  #edgeSecret({ edgeSecretVersion: version }: Settings): string {
    const [deployer] = deployers;
    const { function: name } = deployer;
    // The function runs during the deployment, before the installation's URLs are known, so it gets only the table.
    const environment = { TABLE_NAME: this.#table.tableName };
    // The timeout is longer than usual, because the function waits until its new permissions work.
    const role = this.#functions.ownRole(name, this.#functions.permissions(deployer));
    const maker = this.#functions.create(name, { environment, role, size: sizeOf(deployer) });
    return new EdgeSecret(this.#functions.stackOf(name), 'EdgeSecret', { maker, logGroup: this.#log, version }).value;
  }
}
