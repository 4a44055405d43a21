import { expect, it, onTestFinished } from 'vitest';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { openEdge } from '#infra/emulator/edge.ts';
import { iamDecisions } from '#infra/emulator/iam-decisions.ts';
import { deployment } from '#test/deployed/support/deployed.ts';

// This file runs after the other files, whose calls it checks.

const edge = openEdge(deployment());
const aws = awsCommand(deployment());
const click = () => edge('POST', '/api/v1/track/click', { body: { affiliate_url: 'https://flows.test/?aff=flows' } });

interface Statement {
  readonly Action: string | readonly string[];
}

it('IAM has denied no call of a deployed function', async () => {
  const decisions = await iamDecisions(deployment().folder);
  expect(decisions.length).toBeGreaterThan(100);
  expect(decisions.filter(({ decision }) => decision !== 'Allow')).toEqual([]);
});

it('a deployed function fails if one of its permissions is taken away', async () => {
  const { Functions } = await aws('lambda', 'list-functions');
  const { Role } = Functions.find(
    ({ Description }: { Description?: string }) => Description === 'functions/track/click.ts',
  );
  const of = ['--role-name', Role.split('/').at(-1), '--policy-name', 'endpoint'];
  const { PolicyDocument } = await aws('iam', 'get-role-policy', ...of);
  const put = (document: object) => aws('iam', 'put-role-policy', ...of, '--policy-document', JSON.stringify(document));
  onTestFinished(() => put(PolicyDocument));
  const Statement = (PolicyDocument.Statement as readonly Statement[]).map((statement) => ({
    ...statement,
    Action: [statement.Action].flat().filter((action) => action !== 'dynamodb:PutItem'),
  }));
  expect((await click()).status).toBe(200);
  await put({ ...PolicyDocument, Statement });
  expect((await click()).status).toBe(500);
  await put(PolicyDocument);
  expect((await click()).status).toBe(200);
});
