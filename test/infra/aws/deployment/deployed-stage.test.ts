import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseUrlOf, environmentOf } from '#infra/aws/deployment/deployed-stage.ts';
import type { FoundRecord, RecordPlace } from '#infra/aws/deployment/read-record.ts';

const outputs = { TableName: 'Stage-Table', BaseUrl: 'https://d1.cloudfront.net' };
const deployed: FoundRecord = { region: 'eu-west-1', record: { settings: {}, outputs } };

let folder: string;
let found: FoundRecord;
let asked: RecordPlace[];
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stages-'));
  found = deployed;
  asked = [];
  said = [];
  await write('dev', {});
});
afterEach(() => rm(folder, { recursive: true }));

const write = (stage: string, settings: object) => writeFile(join(folder, `${stage}.json`), JSON.stringify(settings));

const terminal = (environment: Readonly<Record<string, string>> = {}) => ({
  environment: { STAGES_FOLDER: folder, ...environment },
  say: (line: string) => said.push(line),
  read: async (place: RecordPlace) => {
    asked.push(place);
    return found;
  },
});

describe('an operator command with --stage', () => {
  it('uses the table and region with which the stage was deployed', async () => {
    expect(await environmentOf('dev', terminal())).toEqual({
      STAGES_FOLDER: folder,
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: 'Stage-Table',
    });
    expect([asked, said]).toEqual([[{ stage: 'dev', region: undefined }], []]);
  });

  it('looks for the stage in the region that AWS_REGION names', async () => {
    await environmentOf('dev', terminal({ AWS_REGION: 'us-west-2' }));
    expect(asked).toEqual([{ stage: 'dev', region: 'us-west-2' }]);
  });

  it('uses the table in TABLE_NAME, for example a restored one, instead of the stage’s table, and prints that', async () => {
    expect(await environmentOf('dev', terminal({ TABLE_NAME: 'Restored' }))).toMatchObject({
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: 'Restored',
    });
    expect(said).toEqual(['TABLE_NAME: Restored is used, instead of Stage-Table of dev']);
  });

  it.each(['prod', '../dev', 'Dev'])(
    'is refused if the stage %s has no settings file, and the error names the file',
    async (stage) => {
      await expect(environmentOf(stage, terminal())).rejects.toThrow(
        `There is no infra/stages/${stage}.json. Name a stage that has a file.`,
      );
      expect(asked).toEqual([]);
    },
  );

  it('is refused if the stage’s settings file lacks a required setting', async () => {
    await write('prod', {});
    await expect(environmentOf('prod', terminal())).rejects.toThrow('infra/stages/prod.json does not name requireMfa');
  });

  it('names, if the stage is not deployed, the region in which it was looked for', async () => {
    found = { region: 'us-east-1', record: undefined };
    await expect(environmentOf('dev', terminal())).rejects.toThrow(
      'The stage dev is not deployed in us-east-1 with these credentials. Choose account and region by AWS_PROFILE and ' +
        'AWS_REGION.\nWithout --stage, AWS_REGION and TABLE_NAME (the output TableName) name the table.',
    );
  });
});

describe('the smoke test with --stage', () => {
  it('calls the URL that the stage was deployed with', async () => {
    expect(await baseUrlOf('dev', terminal())).toBe('https://d1.cloudfront.net');
  });

  it('needs no AWS credentials if the stage’s settings file has a domain', async () => {
    await write('dev', { domainName: 'track.acme.test' });
    expect(await baseUrlOf('dev', terminal())).toBe('https://track.acme.test');
    expect(asked).toEqual([]);
  });

  it('names the settings file in the error if the stage has none', async () => {
    await expect(baseUrlOf('prod', terminal())).rejects.toThrow('There is no infra/stages/prod.json.');
  });

  it('suggests --base-url in the error if the stage is not deployed', async () => {
    found = { region: 'us-east-1', record: undefined };
    await expect(baseUrlOf('dev', terminal())).rejects.toThrow(
      'Without --stage, --base-url (the output BaseUrl) names',
    );
  });
});
