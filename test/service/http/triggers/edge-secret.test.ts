import type { CdkCustomResourceEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/deploy/edge-secret.ts';
import { resourceHandler } from '#lib/service/http/triggers/resource-handler.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { failing, overtakenBy, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

const LOGICAL_ID = 'EdgeSecret';

/** Calls the function as CloudFormation does through CDK's provider. */
const ask = (RequestType: CdkCustomResourceEvent['RequestType']) =>
  handler({
    RequestType,
    LogicalResourceId: LOGICAL_ID,
    ServiceToken: 'arn:provider',
    ResponseURL: 'https://answer.test',
    StackId: 'stack',
    RequestId: 'request',
    ResourceType: 'Custom::EdgeSecret',
    ResourceProperties: { ServiceToken: 'arn:provider', version: '1' },
    PhysicalResourceId: LOGICAL_ID,
    OldResourceProperties: { version: '0' },
  } as CdkCustomResourceEvent);

const made = async (RequestType: 'Create' | 'Update'): Promise<string> => (await ask(RequestType)).Data?.secret;

const edgeItems = () => world.items('EDGE');

describe('the function that makes CloudFront’s secret, when the stack is created,', () => {
  it('returns the secret to CloudFormation, marked so that it is not logged', async () => {
    expect(await ask('Create')).toEqual({
      PhysicalResourceId: LOGICAL_ID,
      NoEcho: true,
      Data: { secret: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it('stores only a hash of the secret in the table', async () => {
    const secret = await made('Create');
    expect(await allItems(world)).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

describe('the function that makes CloudFront’s secret, when the stack is updated,', () => {
  it('makes a new secret, and the one before stays valid', async () => {
    const first = await made('Create');
    const second = await made('Update');
    expect(second).not.toBe(first);
    expect((await ask('Update')).PhysicalResourceId).toBe(LOGICAL_ID);
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect(hashes).toHaveLength(3);
    expect(hashes.slice(1)).toEqual([sha256(second), sha256(first)]);
  });

  it('keeps a secret valid for three updates, so that a rolled-back deployment still works', async () => {
    const inUse = await made('Create');
    for (const _ of [1, 2, 3]) await made('Update');
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect([hashes.length, hashes[3]]).toEqual([4, sha256(inUse)]);
    await made('Update');
    const [after] = (await edgeItems()) as [{ hashes: string[] }];
    expect(after.hashes).toHaveLength(4);
    expect(after.hashes).not.toContain(sha256(inUse));
  });

  it('adds to a list of two hashes that an older version stored', async () => {
    const formerHashes = ['hash of the one in use', 'hash of the former one'];
    await world.deps().table.put({ pk: 'EDGE', sk: 'EDGE' }, { hashes: formerHashes });
    const secret = await made('Update');
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret), ...formerHashes] }]);
  });

  it('stores both secrets if two updates run in parallel', async () => {
    let other = '';
    const overtaken = overtakenBy(async () => {
      other = await made('Update');
    });
    const own = await failing('write', overtaken, () => made('Update'));
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(own), sha256(other)] }]);
  });

  it('reports an error to CloudFormation and leaves the hashes unchanged if the table fails', async () => {
    const secret = await made('Create');
    await expect(failing('write', refused('InternalServerError'), () => made('Update'))).rejects.toThrow(
      'InternalServerError',
    );
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

const denied = () => Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }));

describe('the function that makes CloudFront’s secret, if AWS denies a call because its permission is not in effect yet,', () => {
  const event = { RequestType: 'Create', LogicalResourceId: LOGICAL_ID } as CdkCustomResourceEvent;

  it('tries again after 4 and 8 seconds', async () => {
    const waits: number[] = [];
    const tries = [denied, denied, async () => ({ secret: 'made' })];
    const make = () => tries.shift()!();
    const reply = await resourceHandler({ make }, async (ms) => void waits.push(ms))(event);
    expect(reply).toEqual({ PhysicalResourceId: LOGICAL_ID, NoEcho: true, Data: { secret: 'made' } });
    expect(waits).toEqual([4_000, 8_000]);
  });

  it('reports the error after three attempts', async () => {
    let tries = 0;
    const make = () => {
      tries += 1;
      return denied();
    };
    await expect(resourceHandler({ make }, async () => {})(event)).rejects.toThrow('not authorized');
    expect(tries).toBe(3);
  });
});

it('deleting the stack leaves the stored hashes of CloudFront’s secret unchanged', async () => {
  const secret = await made('Create');
  expect(await ask('Delete')).toEqual({ PhysicalResourceId: LOGICAL_ID });
  expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
});
