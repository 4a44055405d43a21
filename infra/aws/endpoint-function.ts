import { Duration, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import { tableDefinition } from '#lib/service/config/table-definition.ts';

/** Lambda gives CPU by memory: a cold start is CPU only, a warm request waits for DynamoDB. */
const usual = { memorySize: 1024, timeout: Duration.seconds(functionTimeoutSeconds.usual) };
const heavy = { memorySize: 2048, timeout: Duration.seconds(functionTimeoutSeconds.heavy) };

export interface EndpointFunctionProps extends Pick<DeployedFunction, 'tableActions' | 'listsByIndex'> {
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly table: ITableV2;
  readonly logGroup: ILogGroup;
  /** Beside the table and the log. */
  readonly furtherPermissions?: readonly PolicyStatement[];
  readonly isHeavy?: boolean;
  /** How many may run at once, apart from all others; absent = as many as the account has left. */
  readonly concurrency?: number;
}

/** The function in the file `functions/<id>.ts`. Its permissions on the table are those that its routes list. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    const { code, environment, logGroup, isHeavy, concurrency } = props;
    super(scope, id, {
      description: `functions/${id}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      ...(isHeavy ? heavy : usual),
      reservedConcurrentExecutions: concurrency,
      handler: 'index.handler',
      code,
      environment,
      // A role of our own, because the one CDK makes may write to every log group of the account.
      role: new Role(scope, `${id} role`, {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        // Inside the role, because a policy of its own would be one more resource per function: a stack holds 500.
        inlinePolicies: { endpoint: new PolicyDocument({ statements: permissions(props) }) },
      }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    // Not by CDK's property, which would add a policy of its own to each role.
    (this.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
    Validations.of(this.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources that a permission to send it traces could name.',
    });
  }
}

const allow = (actions: string[], resource: string) => new PolicyStatement({ actions, resources: [resource] });

const permissions = ({
  logGroup,
  table,
  tableActions,
  listsByIndex,
  furtherPermissions = [],
}: EndpointFunctionProps): PolicyStatement[] => [
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
  allow(
    tableActions.map((action) => `dynamodb:${action}`),
    table.tableArn,
  ),
  ...(listsByIndex ? [allow(['dynamodb:Query'], `${table.tableArn}/index/${tableDefinition.index.name}`)] : []),
  allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'),
  ...furtherPermissions,
];
