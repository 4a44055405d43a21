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

describe('with credentials', () => {
  it('the stage’s own record is read in the account and region of the deployment', async () => {
    await synthesis({ stage: 'prod', alarmEmail: 'ops@acme.test' }, credentials, () => ({ record }));
    expect(asked).toEqual([{ stage: 'prod', account: '123456789012', region: 'eu-west-1' }]);
    expect(said).toEqual([]);
  });

  it('a forgotten setting is refused by its name, until it is accepted', async () => {
    await expect(synthesis({ stage: 'prod' }, credentials, () => ({ record }))).rejects.toThrow(
      '  alarmEmail: ops@acme.test would become not set',
    );
    await synthesis({ stage: 'prod', accept: 'alarmEmail' }, credentials, () => ({ record }));
  });

  it('a record that cannot be read is refused', async () => {
    const failing = synthesis({}, credentials, () => {
      throw new Error('The parameter could not be read. AccessDeniedException: not allowed');
    });
    await expect(failing).rejects.toThrow(
      'AccessDeniedException: not allowed\nRepair that (credentials by AWS_PROFILE, not --profile; permission ' +
        'ssm:GetParameter), or give the parameter’s text: -c deployed=<file>',
    );
  });

  it('the first deployment of a stage without deletion protection has nothing to compare with', async () => {
    await synthesis({ stage: 'dev' }, credentials);
    await synthesis({ stage: 'prod', firstDeployment: 'true' }, credentials);
    expect(said).toEqual([
      'There is no parameter /referral-tracking/dev/deployed in the account 123456789012, region eu-west-1: the first deployment of dev.',
      'There is no parameter /referral-tracking/prod/deployed in the account 123456789012, region eu-west-1: the first deployment of prod.',
    ]);
  });

  it('a later deployment of production is refused where nothing is deployed', async () => {
    await expect(synthesis({ stage: 'prod' }, credentials)).rejects.toThrow(
      'There is no parameter /referral-tracking/prod/deployed in the account 123456789012, region eu-west-1, so prod is ' +
        'not deployed there. For its first deployment add -c firstDeployment=true.',
    );
    await synthesis({ stage: 'prod', deployed: 'none' }, credentials);
  });
});

describe('without credentials', () => {
  it('the synthesis says that it compared nothing', async () => {
    await synthesis({ stage: 'prod' }, {});
    expect([asked, said]).toEqual([
      [],
      [
        'Without AWS credentials the settings of prod were not compared with the deployed ones. Before somebody deploys ' +
          'this synthesis, give the text of the parameter /referral-tracking/prod/deployed: -c deployed=<file>',
      ],
    ]);
  });

  it('a check of the code says nothing', async () => {
    await synthesis({ stage: 'prod', deployed: 'none' }, {});
    expect([asked, said]).toEqual([[], []]);
  });

  it('the text of the parameter is compared instead', async () => {
    const deployed = await file(JSON.stringify(record));
    await expect(synthesis({ stage: 'prod', deployed }, {})).rejects.toThrow('  alarmEmail: ');
    await synthesis({ stage: 'prod', deployed, alarmEmail: 'ops@acme.test' }, {});
    expect([asked, said]).toEqual([[], []]);
  });

  it.each([
    ['no JSON', '', 'is not the text of a parameter such as /referral-tracking/prod/deployed: '],
    ['null', 'null', 'it must have settings and outputs'],
    ['no settings', '{}', 'it must have settings and outputs'],
    [
      'settings that are no texts',
      '{"settings":{"requireMfa":true},"outputs":{}}',
      'it must have settings and outputs',
    ],
  ])('a file with %s is refused', async (_, text, problem) => {
    await expect(synthesis({ deployed: await file(text) }, {})).rejects.toThrow(problem);
  });

  it('a file that does not exist is refused', async () => {
    await expect(synthesis({ deployed: join(folder, 'no.json') }, {})).rejects.toThrow(
      'no.json cannot be read: ENOENT',
    );
  });
});
