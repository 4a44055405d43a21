import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRecord } from '#infra/aws/deployment/read-record.ts';
import { ACCOUNT, type Answer, startParameterServer } from '#test/infra/aws/deployment/parameter-server.ts';

const record = { settings: { requireMfa: 'true' }, outputs: { TableName: 'Table' } };
const name = '/referral-tracking/prod/deployed';

let answer: Answer;
let server: Awaited<ReturnType<typeof startParameterServer>>;
beforeEach(async () => {
  answer = { value: JSON.stringify(record) };
  server = await startParameterServer(() => answer);
  for (const [variable, value] of Object.entries(server.environment)) vi.stubEnv(variable, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

it('readRecord reads the parameter of the stage with the credentials and the region in the environment', async () => {
  expect(await readRecord({ stage: 'prod' })).toEqual({ region: 'eu-west-1', record });
  expect(server.asked).toEqual([name]);
});

it('readRecord reads in the region of the deployment if that is given', async () => {
  expect(await readRecord({ stage: 'prod', region: 'us-west-2', account: ACCOUNT })).toMatchObject({
    region: 'us-west-2',
  });
});

it('readRecord returns no record, and no error, if the stage was never deployed', async () => {
  answer = { error: 'ParameterNotFound' };
  expect(await readRecord({ stage: 'prod' })).toEqual({ region: 'eu-west-1', record: undefined });
});

describe('the error of readRecord says that', () => {
  it.each<[string, Answer, string]>([
    ['the permission is missing', { error: 'AccessDeniedException' }, 'AccessDeniedException: no'],
    ['the credentials expired', { error: 'ExpiredTokenException' }, 'ExpiredTokenException: no'],
    [
      'its text is not that of a record',
      { value: '{}' },
      `The parameter ${name} is not the text of a parameter such as`,
    ],
    [
      'the credentials belong to another account than the CDK’s',
      { value: JSON.stringify(record), account: '999999999999' },
      `The CDK deploys to the account ${ACCOUNT}, but the credentials of the environment are of 999999999999.`,
    ],
  ])('%s', async (_, given, problem) => {
    answer = given;
    const reading = readRecord({ stage: 'prod', account: ACCOUNT });
    await expect(reading).rejects.toThrow(
      `The parameter ${name}, what the stage was deployed with, could not be read. ${problem}`,
    );
  });

  it('the credentials belong to another AWS account than the stage, and suggests to choose another profile', async () => {
    answer = { error: 'ParameterNotFound' };
    vi.stubEnv('AWS_ACCOUNT_ID', '999999999999');
    await expect(readRecord({ stage: 'prod', account: ACCOUNT })).rejects.toThrow('Choose the profile by AWS_PROFILE');
  });

  it('AWS does not answer', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    await expect(readRecord({ stage: 'prod' })).rejects.toThrow('could not be read. connect ECONNREFUSED');
  });
});
