import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareWithDeployed } from '#infra/aws/deployment/deployed-settings.ts';
import type { FoundRecord, RecordPlace } from '#infra/aws/deployment/read-record.ts';
import { settingsFrom } from '#infra/aws/settings.ts';

const credentials = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-west-1' };
const record = { settings: { alarmEmail: 'ops@acme.test' }, outputs: {} };

let folder: string;
let said: string[];
let asked: RecordPlace[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deployed-'));
  said = [];
  asked = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** A synthesis with these `-c name=value`, in an account where AWS answers like this. */
function synthesis(
  context: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
  answer: () => Pick<FoundRecord, 'record'> = () => ({ record: undefined }),
) {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(context)) node.setContext(name, value);
  return compareWithDeployed(node, settingsFrom(node), {
    variables,
    say: (line) => said.push(line),
    read: async (place) => {
      asked.push(place);
      return { region: 'eu-west-1', ...answer() };
    },
  });
}

const file = async (text: string) => {
  const path = join(folder, 'deployed.json');
  await writeFile(path, text);
  return path;
};

describe('a synthesis with AWS credentials', () => {
  it('reads the stage’s record of deployed settings in the account and region of the deployment', async () => {
    await synthesis({ stage: 'prod', alarmEmail: 'ops@acme.test' }, credentials, () => ({ record }));
    expect(asked).toEqual([{ stage: 'prod', account: '123456789012', region: 'eu-west-1' }]);
    expect(said).toEqual([]);
  });

  it('is refused if it would drop a deployed setting, which the message names, unless that is accepted', async () => {
    await expect(synthesis({ stage: 'prod' }, credentials, () => ({ record }))).rejects.toThrow(
      '  alarmEmail: ops@acme.test would become not set',
    );
    await synthesis({ stage: 'prod', accept: 'alarmEmail' }, credentials, () => ({ record }));
  });

  it('is refused if the record cannot be read', async () => {
    const failing = synthesis({}, credentials, () => {
      throw new Error('The parameter could not be read. AccessDeniedException: not allowed');
    });
    await expect(failing).rejects.toThrow(
      'AccessDeniedException: not allowed\nRepair that (credentials by AWS_PROFILE, not --profile; permission ' +
        'ssm:GetParameter), or give the parameter’s text: -c deployed=<file>',
    );
  });

  it('compares nothing at the first deployment of dev, or of prod if the setting firstDeployment says that it is the first', async () => {
    await synthesis({ stage: 'dev' }, credentials);
    await synthesis({ stage: 'prod', firstDeployment: 'true' }, credentials);
    expect(said).toEqual([
      'There is no parameter /referral-tracking/dev/deployed in the account 123456789012, region eu-west-1: the first deployment of dev.',
      'There is no parameter /referral-tracking/prod/deployed in the account 123456789012, region eu-west-1: the first deployment of prod.',
    ]);
  });

  it('is refused for prod if nothing is deployed and firstDeployment does not say that this is the first deployment', async () => {
    await expect(synthesis({ stage: 'prod' }, credentials)).rejects.toThrow(
      'There is no parameter /referral-tracking/prod/deployed in the account 123456789012, region eu-west-1, so prod is ' +
        'not deployed there. For its first deployment add -c firstDeployment=true.',
    );
    await synthesis({ stage: 'prod', deployed: 'none' }, credentials);
  });
});

describe('a synthesis without AWS credentials', () => {
  it('prints that it could not compare the settings', async () => {
    await synthesis({ stage: 'prod' }, {});
    expect([asked, said]).toEqual([
      [],
      [
        'Without AWS credentials the settings of prod were not compared with the deployed ones. Before somebody deploys ' +
          'this synthesis, give the text of the parameter /referral-tracking/prod/deployed: -c deployed=<file>',
      ],
    ]);
  });

  it('prints nothing with the setting deployed=none, which is for checks of the code', async () => {
    await synthesis({ stage: 'prod', deployed: 'none' }, {});
    expect([asked, said]).toEqual([[], []]);
  });

  it('compares the settings with the record in a file, if the setting deployed names one', async () => {
    const deployed = await file(JSON.stringify(record));
    await expect(synthesis({ stage: 'prod', deployed }, {})).rejects.toThrow('  alarmEmail: ');
    await synthesis({ stage: 'prod', deployed, alarmEmail: 'ops@acme.test' }, {});
    expect([asked, said]).toEqual([[], []]);
  });

  it.each([
    ['invalid JSON', '', 'is not the text of a parameter such as /referral-tracking/prod/deployed: '],
    ['null', 'null', 'it must have settings and outputs'],
    ['no settings', '{}', 'it must have settings and outputs'],
    [
      'settings that are not strings',
      '{"settings":{"requireMfa":true},"outputs":{}}',
      'it must have settings and outputs',
    ],
  ])('is refused if the file with the record has %s', async (_, text, problem) => {
    await expect(synthesis({ deployed: await file(text) }, {})).rejects.toThrow(problem);
  });

  it('is refused if the file with the record does not exist', async () => {
    await expect(synthesis({ deployed: join(folder, 'no.json') }, {})).rejects.toThrow(
      'no.json cannot be read: ENOENT',
    );
  });
});
