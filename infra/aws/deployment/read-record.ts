import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { type DeploymentRecord, recordIn, recordName } from '#infra/aws/deployment/deployment-record.ts';

export interface RecordPlace {
  readonly stage: string;
  /** Region of the stage. Default: the region of the environment or of the AWS profile. */
  readonly region?: string | undefined;
  /** Account to which the CDK deploys, if it is known. */
  readonly account?: string | undefined;
}

/** The region in which the record was looked up, and the record, if there is one. */
export interface FoundRecord {
  readonly region: string;
  readonly record: DeploymentRecord | undefined;
}

const CONNECTION_MS = 5_000;
const REPLY_MS = 10_000;

/**
 * Reads the record of a stage's last deployment, with the AWS credentials of the environment.
 * @throws Error that says why AWS did not answer, or that the credentials belong to another account
 */
export async function readRecord({ stage, region: wanted, account }: RecordPlace): Promise<FoundRecord> {
  const name = recordName(stage);
  const ssm = new SSMClient({
    ...(wanted !== undefined && { region: wanted }),
    requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: REPLY_MS },
  });
  try {
    const region = await ssm.config.region();
    const { accountId } = await ssm.config.credentials();
    mustBe(account, accountId);
    const parameter = await ssm.send(new GetParameterCommand({ Name: name })).then(
      ({ Parameter }) => Parameter,
      (error: unknown) => {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      },
    );
    if (parameter === undefined) return { region, record: undefined };
    mustBe(account, parameter.ARN?.split(':')[4]);
    return { region, record: recordIn(parameter.Value ?? '', `The parameter ${name}`) };
  } catch (error) {
    const { name: kind, message } = error as Error;
    const reason = kind === 'Error' ? message : `${kind}: ${message}`;
    throw new Error(`The parameter ${name}, what the stage was deployed with, could not be read. ${reason}`, {
      cause: error,
    });
  } finally {
    ssm.destroy();
  }
}

/**
 * Refuses credentials of another account: the CDK may deploy with a profile (`--profile`) that this process cannot see.
 */
function mustBe(account: string | undefined, found: string | undefined): void {
  if (account === undefined || found === undefined || found === account) return;
  throw new Error(
    `The CDK deploys to the account ${account}, but the credentials of the environment are of ${found}. ` +
      'Choose the profile by AWS_PROFILE instead of --profile.',
  );
}
