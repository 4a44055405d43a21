import { CustomResource } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Provider } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { acknowledgeProvided, arnIn } from '#infra/aws/endpoints/provided-function.ts';

export interface EdgeSecretProps {
  /** The function that creates the secret and stores its hash in the table. */
  readonly maker: LambdaFunction;
  readonly logGroup: ILogGroup;
  /** A new value replaces the secret; the former secret stays valid. */
  readonly version: string;
}

/**
 * The secret that proves to the functions that a request came through CloudFront. It appears neither in a template nor
 * in an environment variable.
 */
export class EdgeSecret extends Construct {
  readonly value: string;

  constructor(scope: Construct, id: string, { maker, logGroup, version }: EdgeSecretProps) {
    super(scope, id);
    const provider = new Provider(this, 'Provider', { onEventHandler: maker, logGroup });
    const secret = new CustomResource(this, 'Secret', { serviceToken: provider.serviceToken, properties: { version } });
    this.value = secret.getAttString('secret');
    acknowledgeProvided(provider, [`Resource::${arnIn(maker)}:*`]);
  }
}
