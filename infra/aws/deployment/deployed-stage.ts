import type { FoundRecord, RecordPlace } from '#infra/aws/deployment/read-record.ts';
import { readStageFile, type StageFile, stagesFolderFrom } from '#infra/aws/stage-file.ts';
import type { Variables } from '#lib/service/ground/config/config.ts';

/** What a command for a deployed stage uses of the process that runs it. */
interface Terminal {
  readonly environment: Variables;
  readonly read: (place: RecordPlace) => Promise<FoundRecord>;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
}

/**
 * Returns the environment for an operator command with `--stage`: it contains the stage's table and region.
 * @throws Error that says what to do, if the stage has no file or is not deployed
 */
export async function environmentOf(stage: string, { environment, read, say }: Terminal): Promise<Variables> {
  fileOf(stage, environment);
  const { region, outputs } = await deployedOutputs(stage, { environment, read }).catch((error: Error) => {
    throw new Error(
      `${error.message}\nWithout --stage, AWS_REGION and TABLE_NAME (the output TableName) name the table.`,
      {
        cause: error,
      },
    );
  });
  const { TABLE_NAME: given } = environment;
  if (given && given !== outputs.TableName)
    say(`TABLE_NAME: ${given} is used, instead of ${outputs.TableName} of ${stage}`);
  return { ...environment, AWS_REGION: region, TABLE_NAME: given || outputs.TableName };
}

/**
 * The address of a deployed stage.
 * @throws Error that says what to do, if the stage has no file or is not deployed
 */
export async function baseUrlOf(stage: string, { environment, read }: Omit<Terminal, 'say'>): Promise<string> {
  const { domainName } = fileOf(stage, environment).values;
  if (domainName) return `https://${domainName}`;
  const { outputs } = await deployedOutputs(stage, { environment, read }).catch((error: Error) => {
    throw new Error(`${error.message}\nWithout --stage, --base-url (the output BaseUrl) names the address.`, {
      cause: error,
    });
  });
  return outputs.BaseUrl!;
}

function fileOf(stage: string, environment: Variables): StageFile {
  const file = /^[a-z]+$/.test(stage) ? readStageFile(stage, stagesFolderFrom(environment)) : undefined;
  if (file) return file;
  throw new Error(
    `There is no infra/stages/${stage}.json. Name a stage that has a file. If ${stage} is deployed without one, create it as ` +
      'infra/stages/example.json shows; for dev {} is enough.',
  );
}

async function deployedOutputs(stage: string, { environment, read }: Omit<Terminal, 'say'>) {
  const { region, record } = await read({ stage, region: environment.AWS_REGION });
  if (record) return { region, outputs: record.outputs };
  throw new Error(
    `The stage ${stage} is not deployed in ${region} with these credentials. Choose account and region by AWS_PROFILE and AWS_REGION.`,
  );
}
