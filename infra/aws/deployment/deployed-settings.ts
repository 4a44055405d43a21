import { readFileSync } from 'node:fs';
import type { Node } from 'constructs';
import { type DeploymentRecord, recordIn, recordName } from '#infra/aws/deployment/deployment-record.ts';
import type { FoundRecord, RecordPlace } from '#infra/aws/deployment/read-record.ts';
import { refuseWeakened } from '#infra/aws/deployment/weakened-settings.ts';
import type { Settings } from '#infra/aws/settings.ts';
import type { Variables } from '#lib/service/ground/config/config.ts';

/** How this synthesis reads the settings with which a stage is deployed. */
export interface DeployedSource {
  /** Environment variables of the process. The CDK's command sets the account and region of its credentials in them. */
  readonly variables: Variables;
  readonly read: (place: RecordPlace) => Promise<FoundRecord>;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
}

/**
 * The value of `-c deployed=…` that turns the comparison off: the synthesis will not be deployed, or there is nothing
 * to compare with.
 */
const NOTHING = 'none';

/**
 * Compares the settings of this synthesis with those of the deployed stage.
 * @throws Error if the deployment would weaken a setting, or if the deployed settings could not be read
 */
export async function compareWithDeployed(node: Node, settings: Settings, source: DeployedSource): Promise<void> {
  const { stage, texts } = settings;
  const deployed = await deployedRecord(node.tryGetContext('deployed'), settings, source);
  if (deployed) refuseWeakened({ stage, deployed, texts, accept: node.tryGetContext('accept') });
}

async function deployedRecord(
  given: string | undefined,
  { stage, firstDeployment }: Settings,
  { variables, read, say }: DeployedSource,
): Promise<DeploymentRecord | undefined> {
  if (given === NOTHING) return undefined;
  if (given !== undefined) return recordIn(textOf(given), given);
  const name = recordName(stage);
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = variables;
  // The CDK's command has no credentials, so it cannot deploy; the synthesis may continue without a comparison.
  if (account === undefined) {
    say(
      `Without AWS credentials the settings of ${stage} were not compared with the deployed ones. Before somebody ` +
        `deploys this synthesis, give the text of the parameter ${name}: -c deployed=<file>`,
    );
    return undefined;
  }
  const found = await read({ stage, region, account }).catch((error: Error) => {
    const remedy =
      'Repair that (credentials by AWS_PROFILE, not --profile; permission ssm:GetParameter), or give the parameter’s text: -c deployed=<file>';
    throw new Error(`${error.message}\n${remedy}`, { cause: error });
  });
  if (found.record) return found.record;
  const where = `There is no parameter ${name} in the account ${account}, region ${found.region}`;
  if (stage === 'prod' && !firstDeployment) {
    throw new Error(
      `${where}, so ${stage} is not deployed there. For its first deployment add -c firstDeployment=true. If it is ` +
        'deployed elsewhere, choose its credentials and region by AWS_PROFILE and AWS_REGION. If a former version or somebody removed the ' +
        `parameter, compare the settings with the deployed ones yourself, and add -c deployed=${NOTHING}`,
    );
  }
  say(`${where}: the first deployment of ${stage}.`);
  return undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`-c deployed=${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
