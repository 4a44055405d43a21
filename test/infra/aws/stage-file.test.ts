import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RootConstruct } from 'constructs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingNames } from '#infra/aws/setting-rules.ts';
import { stagesFolderFrom } from '#infra/aws/stage-file.ts';
import { type Settings, settingsFrom } from '#infra/aws/settings.ts';

/** What a file of production must name. */
const named = {
  requireMfa: true,
  threatProtection: false,
  webAclArn: null,
  domainName: null,
  alarmEmail: 'ops@acme.test',
  mailFrom: null,
  signUp: 'invited',
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stages-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (stage: string, settings: unknown) =>
  writeFile(join(folder, `${stage}.json`), typeof settings === 'string' ? settings : JSON.stringify(settings));

/** The settings of a deployment with these `-c name=value`. */
function settingsWith(context: Readonly<Record<string, string>> = {}): Settings {
  const app = new RootConstruct();
  for (const [name, value] of Object.entries(context)) app.node.setContext(name, value);
  return settingsFrom(app.node, {}, folder);
}

describe('a stage that has a settings file', () => {
  it('has the settings in the file, with booleans and numbers as text', async () => {
    await write('prod', { ...named, edgeLog: true, platformFeeBps: 200, webhookConcurrency: 50 });
    expect(settingsWith({ stage: 'prod' })).toMatchObject({
      stage: 'prod',
      alarmEmail: 'ops@acme.test',
      signUp: 'invited',
      requireMfa: true,
      edgeLog: true,
      platformFeeBps: '200',
      webhookConcurrency: 50,
      webAclArn: undefined,
    });
  });

  it('has the setting of the command line instead if both set it', async () => {
    await write('dev', { alarmEmail: 'ops@acme.test', currencies: 'EUR' });
    expect(settingsWith({ alarmEmail: 'night@acme.test' })).toMatchObject({
      alarmEmail: 'night@acme.test',
      currencies: 'EUR',
    });
  });

  it('does not get the settings of another stage', async () => {
    await write('prod', named);
    expect(settingsWith()).toMatchObject({ stage: 'dev', alarmEmail: undefined, signUp: undefined });
  });
});

it('a stage that has no settings file has the default settings', () => {
  expect(settingsWith({ stage: 'prod' })).toMatchObject({ requireMfa: true, alarmEmail: undefined });
});

describe('the settings file of prod is refused if it does not mention', () => {
  it.each(Object.keys(named))('%s', async (setting) => {
    await write('prod', Object.fromEntries(Object.entries(named).filter(([name]) => name !== setting)));
    expect(() => settingsWith({ stage: 'prod' })).toThrow(
      `infra/stages/prod.json does not name ${setting}. Set each, or write null for a setting without a value.`,
    );
  });
});

describe('the settings file of a stage is refused if it has', () => {
  it.each([
    ['a misspelt setting', { alarmMail: 'ops@acme.test' }, 'Unknown setting "alarmMail" in infra/stages/dev.json'],
    ['a misspelt setting that is null', { webAcl: null }, 'Unknown setting "webAcl" in infra/stages/dev.json'],
    [
      'a setting for the stage, which the file’s name gives',
      { stage: 'dev' },
      'Unknown setting "stage" in infra/stages/dev.json',
    ],
    [
      'a setting that is for a single deployment only',
      { firstDeployment: true },
      'infra/stages/dev.json must not name firstDeployment, which is only for -c firstDeployment=true, once',
    ],
    ['an invalid value', { edgeLog: 'yes' }, 'edgeLog must be true or false'],
    [
      'a setting with a list as value',
      { currencies: ['USD'] },
      'infra/stages/dev.json: currencies must be a text, a number, true, false or null',
    ],
    ['a value other than an object', '[]', 'infra/stages/dev.json must be an object of settings by their names'],
    ['invalid JSON', '{', 'infra/stages/dev.json is not valid JSON: '],
  ])('%s', async (_, settings, message) => {
    await write('dev', settings);
    expect(() => settingsWith()).toThrow(message);
  });
});

it('the document about settings mentions every setting', async () => {
  const texts = await Promise.all(['infra/settings.md', 'infra/README.md'].map((file) => readFile(file, 'utf8')));
  expect(settingNames.filter((name) => !texts.join('').includes(`\`${name}\``))).toEqual([]);
});

it('settings files are read from the folder that STAGES_FOLDER names, by default infra/stages', () => {
  expect(stagesFolderFrom({ STAGES_FOLDER: folder })).toBe(folder);
  expect(stagesFolderFrom({})).toBe(resolve('infra/stages'));
});

it('the example of a settings file in the repository is valid for prod', async () => {
  await write('prod', await readFile('infra/stages/example.json', 'utf8'));
  expect(settingsWith({ stage: 'prod' })).toMatchObject({ domainName: 'track.example.com', signUp: 'invited' });
});
