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

describe('the creation of the edge’s secret', () => {
  it('returns the secret only to the deployment, which must not log it', async () => {
    expect(await ask('Create')).toEqual({
      PhysicalResourceId: LOGICAL_ID,
      NoEcho: true,
      Data: { secret: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it('stores its hash in the table, and never the secret', async () => {
    const secret = await made('Create');
    expect(await allItems(world)).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

describe('the replacement of the edge’s secret', () => {
  it('creates a new secret with the same name, and the former one stays valid', async () => {
    const first = await made('Create');
    const second = await made('Update');
    expect(second).not.toBe(first);
    expect((await ask('Update')).PhysicalResourceId).toBe(LOGICAL_ID);
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect(hashes).toHaveLength(3);
    expect(hashes.slice(1)).toEqual([sha256(second), sha256(first)]);
  });

  it('keeps the secret of a deployment that was rolled back', async () => {
    const inUse = await made('Create');
    for (const _ of [1, 2, 3]) await made('Update');
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect([hashes.length, hashes[3]]).toEqual([4, sha256(inUse)]);
    await made('Update');
    const [after] = (await edgeItems()) as [{ hashes: string[] }];
    expect(after.hashes).toHaveLength(4);
    expect(after.hashes).not.toContain(sha256(inUse));
  });

  it('extends a list from a version that stored only two secrets', async () => {
    const formerHashes = ['hash of the one in use', 'hash of the former one'];
    await world.deps().table.put({ pk: 'EDGE', sk: 'EDGE' }, { hashes: formerHashes });
    const secret = await made('Update');
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret), ...formerHashes] }]);
  });

  it('keeps both secrets when two replacements race', async () => {
    let other = '';
    const overtaken = overtakenBy(async () => {
      other = await made('Update');
    });
    const own = await failing('write', overtaken, () => made('Update'));
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(own), sha256(other)] }]);
  });

  it('reports a failure to the deployment and changes nothing', async () => {
    const secret = await made('Create');
    await expect(failing('write', refused('InternalServerError'), () => made('Update'))).rejects.toThrow(
      'InternalServerError',
    );
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

const denied = () => Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }));

describe('a permission for the edge’s secret that is not yet effective in AWS', () => {
  const event = { RequestType: 'Create', LogicalResourceId: LOGICAL_ID } as CdkCustomResourceEvent;

  it('makes the call repeat twice', async () => {
    const waits: number[] = [];
    const tries = [denied, denied, async () => ({ secret: 'made' })];
    const make = () => tries.shift()!();
    const reply = await resourceHandler({ make }, async (ms) => void waits.push(ms))(event);
    expect(reply).toEqual({ PhysicalResourceId: LOGICAL_ID, NoEcho: true, Data: { secret: 'made' } });
    expect(waits).toEqual([4_000, 8_000]);
  });

  it('counts as missing after the third refusal', async () => {
    let tries = 0;
    const make = () => {
      tries += 1;
      return denied();
    };
    await expect(resourceHandler({ make }, async () => {})(event)).rejects.toThrow('not authorized');
    expect(tries).toBe(3);
  });
});

it('deleting the stack changes nothing about the edge’s secret', async () => {
  const secret = await made('Create');
  expect(await ask('Delete')).toEqual({ PhysicalResourceId: LOGICAL_ID });
  expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
});
