import { CustomResource, Validations } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Provider } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';

export interface EdgeSecretProps {
  /** Makes the secret and leaves its hash in the table. */
  readonly maker: LambdaFunction;
  readonly logGroup: ILogGroup;
  /** Another one rolls the secret over; the former one counts on beside it. */
  readonly version: string;
}

/** The secret by which the functions know the edge. It is in no template and no environment. */
export class EdgeSecret extends Construct {
  readonly value: string;

  constructor(scope: Construct, id: string, { maker, logGroup, version }: EdgeSecretProps) {
    super(scope, id);
    const provider = new Provider(this, 'Provider', { onEventHandler: maker, logGroup });
    const secret = new CustomResource(this, 'Secret', { serviceToken: provider.serviceToken, properties: { version } });
    this.value = secret.getAttString('secret');
    Validations.of(provider).acknowledge(
      { id: 'AwsSolutions-IAM4', reason: "CDK's own provider function writes its log with AWS's policy for that." },
      {
        id: 'AwsSolutions-IAM5',
        reason: "CDK's own provider function may call any version of the one function it is for.",
      },
      { id: 'AwsSolutions-L1', reason: 'CDK decides on which runtime its provider function runs.' },
    );
  }
}
