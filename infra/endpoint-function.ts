import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { tableDefinition } from '#lib/store/table-definition.ts';

/** Lambda gives CPU by memory: a cold start is CPU only, a warm request waits for DynamoDB. */
const MEMORY_MEGABYTES = 1024;

/** Long enough for the SDK's three attempts of two seconds, short enough to answer before the gateway's 30 seconds. */
const TIMEOUT = Duration.seconds(10);

export interface EndpointFunctionProps extends Pick<DeployedFunction, 'tableActions' | 'listsByIndex'> {
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly table: ITableV2;
  readonly logGroup: ILogGroup;
  /** Beside the table and the log. */
  readonly furtherPermissions?: readonly PolicyStatement[];
}

/** The function in the file `functions/<id>.ts`. It may do to the table what its routes say, and nothing else. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    const { code, environment, logGroup } = props;
    super(scope, id, {
      description: `functions/${id}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MEGABYTES,
      timeout: TIMEOUT,
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
  ...furtherPermissions,
];
