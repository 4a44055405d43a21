import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithDeployed } from '#infra/aws/deployment/deployed-settings.ts';
import { environmentOf } from '#infra/aws/deployment/deployed-stage.ts';
import { recordedSettings } from '#infra/aws/deployment/weakened-settings.ts';
import { ServiceStack } from '#infra/aws/service-stack.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';
import { inlineCode, someSite } from '#test/infra/aws/synthesized.ts';
import {
  awsCommands,
  cdkCommands,
  filled,
  operatorCommands,
  operatorWords,
  smokeCommands,
  wordsOf,
} from '#test/infra/runbook/printed-commands.ts';
import { runSmoke } from '#test/smoke/run-smoke.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Runs the commands that the operator's documents print as far as a machine without AWS can.

const world = openedWorld();
let folder: string;
let formerTable: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbook-'));
  formerTable = await createTestTable();
  await copyFile('infra/stages/example.json', join(folder, 'prod.json'));
  await writeFile(join(folder, 'dev.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true }));

/** Values of the placeholders of commands. */
const example = {
  stage: 'prod',
  command: 'agent-key list',
  id: '1',
  time: '2026-06-01T00:00:00Z',
  e: 'jo@example.com',
  c: 'clk_0',
  scopes: 'program:list',
  name: 'agent',
  key: 'mrk-0123',
  rule: 'a-rule',
  uuid: '00000000-0000-0000-0000-000000000000',
  region: 'eu-north-1',
};

it('the operator’s documents contain commands of cdk, the smoke test, the AWS CLI and the operator’s program', () => {
  const counts = [cdkCommands, smokeCommands, awsCommands, operatorCommands].map(({ length }) => length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(operatorCommands.length).toBeGreaterThan(15);
});

describe.each(cdkCommands)('the cdk command $text in $document', ({ text }) => {
  it('names a stage, and its synthesis succeeds for that stage’s deployed settings', async () => {
    for (const stage of ['dev', 'prod']) {
      const [, , subcommand, ...words] = wordsOf(filled(text, { ...example, stage }));
      expect(['deploy', 'diff', 'synth', 'destroy']).toContain(subcommand);
      const context = contextOf(words);
      expect(Object.keys(context)).toContain('stage');
      await synthesize(context);
    }
  });
});

function contextOf(words: readonly string[]): Record<string, string> {
  const context: Record<string, string> = {};
  for (let at = 0; at < words.length; at += 2) {
    expect(words[at]).toBe('-c');
    const [name, value] = words[at + 1]!.split('=', 2);
    // A sentence about any setting shows no name and value.
    if (name !== 'name') context[name!] = value!;
  }
  return context;
}

const synthesized = new Set<string>();

async function synthesize(context: Readonly<Record<string, string>>): Promise<void> {
  const key = JSON.stringify(context);
  if (synthesized.has(key)) return;
  synthesized.add(key);
  const { deployed, ...others } = context;
  const text = deployed === undefined || deployed === 'none' ? undefined : join(folder, deployed);
  if (text !== undefined) await writeFile(text, JSON.stringify(recordOf(others.stage!)));
  const app = new App({
    context: { ...others, ...(deployed !== undefined && { deployed: text ?? deployed }) },
    builtinCloudFormationValidation: false,
  });
  const settings = settingsFrom(app.node, {}, folder);
  await compareWithDeployed(app.node, settings, {
    variables: { CDK_DEFAULT_ACCOUNT: '123456789012' },
    read: async ({ stage }) => ({
      region: 'eu-west-1',
      record: context.firstDeployment === 'true' ? undefined : recordOf(stage),
    }),
    say: () => undefined,
  });
  new ServiceStack(app, 'Service', { settings, site: someSite, codeOf: inlineCode });
  app.synth();
}

/** What is deployed of a stage with its file alone. */
function recordOf(stage: string) {
  const { node } = new App({ context: { stage } });
  return { settings: recordedSettings(settingsFrom(node, {}, folder).texts), outputs: {} };
}

describe.each(operatorCommands)('the operator’s command $text in $document', ({ text }) => {
  it('names a stage, and succeeds on a local table', async () => {
    const stages: string[] = [];
    const lines: string[] = [];
    const { variables, words } = operatorWords(
      filled(text, { ...example, new: world.tableName, TableName: formerTable }),
    );
    const print = (line: string) => void lines.push(line);
    await runOperator(words, {
      environment: {},
      environmentOf: async (stage) => {
        stages.push(stage);
        const environment = { ...variables, STAGES_FOLDER: folder, DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT };
        const outputs = { TableName: world.tableName };
        const read = async () => ({ region: 'us-east-1', record: { settings: {}, outputs } });
        return environmentOf(stage, { environment, read, say: print });
      },
      out: print,
      error: print,
    });
    expect(stages).toEqual(['prod']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/Usage:|TABLE_NAME|[Cc]onfiguration|ECONN|is not a function|undefined/);
  });
});

describe.each(smokeCommands)('the smoke test command $text in $document', ({ text }) => {
  it('runs against the stage that it names', async () => {
    const stages: string[] = [];
    const errors: string[] = [];
    const words = wordsOf(filled(text, example));
    await runSmoke(words.slice(words.indexOf('--') + 1), {
      environment: {},
      out: () => undefined,
      error: (line) => void errors.push(line),
      baseUrlOf: async (stage) => {
        stages.push(stage);
        return 'http://127.0.0.1:1';
      },
    });
    expect([stages, errors]).toEqual([['prod'], []]);
  });
});

/** Values of the placeholders of commands of AWS's command line. */
const awsValues = () => ({
  ...example,
  stack: 'ReferralTracking-prod',
  bucket: 'bucket',
  new: world.tableName,
  'first part of ApiHost': 'a1b2c3',
  LogGroupName: 'functions',
  CanarySecretName: 'canary',
  vault: 'a-vault',
  function: 'a-function',
  ARN: 'arn:aws:lambda:eu-north-1:123456789012:function:a-function',
  'time, less an hour': example.time,
  TableName: world.tableName,
});

const readsTable = ({ text }: { readonly text: string }) => /^aws dynamodb (scan|get-item) /.test(text);

describe.each(awsCommands)('the AWS CLI command $text in $document', (command) => {
  const run = readsTable(command) ? 'run below' : 'not run, because only AWS has what it is about';

  it(`is valid shell syntax and contains valid JSON (${run})`, () => {
    const text = filled(command.text, awsValues());
    expect(() => execFileSync('sh', ['-n', '-c', text])).not.toThrow();
    const documents = wordsOf(text).filter((word) => /^[[{]/.test(word));
    expect(() => documents.map((each) => JSON.parse(each))).not.toThrow();
  });
});

describe.each(awsCommands.filter(readsTable))(
  'the AWS CLI command $text in $document, which reads the table,',
  ({ text }) => {
    it('succeeds on a local table', async () => {
      const [, , operation, ...words] = wordsOf(filled(text, awsValues()));
      const parameters = Object.fromEntries(
        words.flatMap((word, at) => {
          if (!word.startsWith('--')) return [];
          const value = words[at + 1]!;
          const name = word.slice(2).replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
          return [[name, value.startsWith('{') ? JSON.parse(value) : value]];
        }),
      );
      const client = new DynamoDBClient({
        endpoint: process.env.DYNAMODB_ENDPOINT,
        region: 'us-east-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      });
      const command =
        operation === 'scan' ? new ScanCommand(parameters as never) : new GetItemCommand(parameters as never);
      // oxlint-disable-next-line typescript/no-explicit-any -- one of two commands, whose types differ
      expect(await client.send(command as any)).toMatchObject({ $metadata: { httpStatusCode: 200 } });
      client.destroy();
    });
  },
);
