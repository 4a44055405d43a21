import { Duration } from 'aws-cdk-lib';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionRole } from '#infra/aws/endpoints/function-role.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import { join } from 'node:path';
import { bundleFolder } from '#infra/build/bundle.ts';
import type { DeployedFunction } from '#infra/deployed-functions.ts';

/**
 * Memory in megabytes. Lambda allocates CPU in proportion to memory, and CPU matters at a cold start; afterwards a
 * request mostly waits for DynamoDB.
 */
const memorySizes = {
  usual: 1024,
  heavy: 2048,
  // The sender of webhooks needs little memory, because it mostly waits.
  sending: 256,
  long: 2048,
} as const satisfies Record<keyof typeof functionTimeoutSeconds, number>;

export interface EndpointFunctionProps {
  readonly code: Code;
  readonly environment: Readonly<Record<string, string>>;
  readonly logGroup: ILogGroup;
  /** Replaces CDK's default role, which may write to every log group of the account. */
  readonly role: FunctionRole;
  /** The memory and timeout of the function. Default: `usual`. */
  readonly size?: keyof typeof memorySizes;
  /** Reserved concurrency of the function. If undefined, the function shares the account's unreserved concurrency. */
  readonly concurrency?: number;
}

/** The Lambda function in the file `functions/<id>.ts`. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    const { code, environment, logGroup, role, size = 'usual', concurrency } = props;
    super(scope, id, {
      description: `functions/${id}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memorySizes[size],
      timeout: Duration.seconds(functionTimeoutSeconds[size]),
      reservedConcurrentExecutions: concurrency,
      handler: 'index.handler',
      code,
      environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    // Tracing is set on the CloudFormation resource, because CDK's own property would add another policy to each role.
    (this.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
  }
}

/** The output of `npm run bundle` for a function. */
export const bundledCode = (functionName: string): Code =>
  Code.fromAsset(join(bundleFolder, functionName), { exclude: ['*.map'] });

export const sizeOf = ({ uses }: Pick<DeployedFunction, 'uses'>) =>
  (['heavy', 'long'] as const).find((size) => uses.includes(size)) ?? 'usual';
