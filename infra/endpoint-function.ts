import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { TableAction } from '#infra/routes.ts';
import type { Stage } from '#infra/stages.ts';
import { tableDefinition } from '#lib/store/table-definition.ts';

/** Lambda gives CPU by memory: a cold start is CPU only, a warm request waits for DynamoDB. */
const MEMORY_MEGABYTES = 1024;

/** Long enough for the SDK's three attempts of two seconds, short enough to answer before the gateway's 30 seconds. */
const TIMEOUT = Duration.seconds(10);

export interface EndpointFunctionProps {
  readonly stage: Stage;
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly table: ITableV2;
  readonly tableActions: readonly TableAction[];
  readonly listsByIndex: boolean;
}

/** The function in the file `functions/<id>.ts`. It may do to the table what its routes say, and nothing else. */
export class EndpointFunction extends LambdaFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, code, environment, table, tableActions, listsByIndex }: EndpointFunctionProps,
  ) {
    const logGroup = new LogGroup(scope, `${id} log`, {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    // A role of our own, because the one CDK makes may write to every log group of the account.
    const role = new Role(scope, `${id} role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    role.addToPolicy(
      new PolicyStatement({
        actions: tableActions.map((action) => `dynamodb:${action}`),
        resources: [table.tableArn],
      }),
    );
    if (listsByIndex) {
      role.addToPolicy(
        new PolicyStatement({
          actions: ['dynamodb:Query'],
          resources: [`${table.tableArn}/index/${tableDefinition.index.name}`],
        }),
      );
    }
    super(scope, id, {
      description: `functions/${id}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MEGABYTES,
      timeout: TIMEOUT,
      handler: 'index.handler',
      code,
      environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
  }
}
