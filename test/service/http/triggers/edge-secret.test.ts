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

/** As CloudFormation asks through CDK's provider. */
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

describe('creation', () => {
  it('returns the secret to the deployment alone, which must not echo it', async () => {
    expect(await ask('Create')).toEqual({
      PhysicalResourceId: LOGICAL_ID,
      NoEcho: true,
      Data: { secret: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it('leaves its hash in the table, and nothing of itself', async () => {
    const secret = await made('Create');
    expect(await allItems(world)).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

describe('a roll-over', () => {
  it('makes another secret under the same name, beside which the former one counts', async () => {
    const first = await made('Create');
    const second = await made('Update');
    expect(second).not.toBe(first);
    expect((await ask('Update')).PhysicalResourceId).toBe(LOGICAL_ID);
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect(hashes).toHaveLength(3);
    expect(hashes.slice(1)).toEqual([sha256(second), sha256(first)]);
  });

  it('leaves a secret that a deployment which was rolled back still uses', async () => {
    const inUse = await made('Create');
    for (const _ of [1, 2, 3]) await made('Update');
    const [{ hashes }] = (await edgeItems()) as [{ hashes: string[] }];
    expect([hashes.length, hashes[3]]).toEqual([4, sha256(inUse)]);
    await made('Update');
    const [after] = (await edgeItems()) as [{ hashes: string[] }];
    expect(after.hashes).toHaveLength(4);
    expect(after.hashes).not.toContain(sha256(inUse));
  });

  it('adds to what was kept when only two were', async () => {
    const formerHashes = ['hash of the one in use', 'hash of the former one'];
    await world.deps().table.put({ pk: 'EDGE', sk: 'EDGE' }, { hashes: formerHashes });
    const secret = await made('Update');
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret), ...formerHashes] }]);
  });

  it('that another one overtakes loses neither secret', async () => {
    let other = '';
    const overtaken = overtakenBy(async () => {
      other = await made('Update');
    });
    const own = await failing('write', overtaken, () => made('Update'));
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(own), sha256(other)] }]);
  });

  it('that fails is reported to the deployment, and changes nothing', async () => {
    const secret = await made('Create');
    await expect(failing('write', refused('InternalServerError'), () => made('Update'))).rejects.toThrow(
      'InternalServerError',
    );
    expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
  });
});

const denied = () => Promise.reject(Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }));

describe('a permission that AWS does not know everywhere yet', () => {
  const event = { RequestType: 'Create', LogicalResourceId: LOGICAL_ID } as CdkCustomResourceEvent;

  it('is waited for twice', async () => {
    const waits: number[] = [];
    const tries = [denied, denied, async () => ({ secret: 'made' })];
    const make = () => tries.shift()!();
    const reply = await resourceHandler({ make }, async (ms) => void waits.push(ms))(event);
    expect(reply).toEqual({ PhysicalResourceId: LOGICAL_ID, NoEcho: true, Data: { secret: 'made' } });
    expect(waits).toEqual([4_000, 8_000]);
  });

  it('is missing when it is refused a third time', async () => {
    let tries = 0;
    const make = () => {
      tries += 1;
      return denied();
    };
    await expect(resourceHandler({ make }, async () => {})(event)).rejects.toThrow('not authorized');
    expect(tries).toBe(3);
  });
});

it('the end of the stack touches nothing', async () => {
  const secret = await made('Create');
  expect(await ask('Delete')).toEqual({ PhysicalResourceId: LOGICAL_ID });
  expect(await edgeItems()).toEqual([{ pk: 'EDGE', sk: 'EDGE', hashes: [sha256(secret)] }]);
});
