import type { DynamoDBRecord } from 'aws-lambda';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { clickBurstOf, signupBurstOf } from '#lib/service/programs/terms/velocity.ts';
import { recordBursts } from '#lib/service/programs/terms/agreements-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { counterItems, deliver, forgetCounts, SHARD } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let own: OwnedBrand;
afterEach(() => forgetCounts(world));

const MINUTE = '2026-11-20T15:04';
const NEXT = '2026-11-20T15:05';

interface Click {
  readonly minute?: string;
  readonly shortLink?: string;
  readonly quality?: string;
  readonly sk?: string;
}

const imageOf = ({ minute = MINUTE, shortLink = own.shortLink, quality, sk = 'CUSTOMER' }: Click) => {
  const at = { [sk === 'CUSTOMER' ? 'firstClickAt' : 'createdAt']: `${minute}:30.000Z` };
  const item = {
    pk: 'CUSTOMER#c',
    sk,
    programId: own.program.id,
    partnerId: own.partner.id,
    shortLink,
    quality,
    ...at,
  };
  return marshall(item, { removeUndefinedValues: true }) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
};

const record = (place: number, click: Click = {}, before?: Click): DynamoDBRecord => ({
  eventID: String(place),
  dynamodb: {
    SequenceNumber: String(place),
    NewImage: imageOf(click),
    ...(before && { OldImage: imageOf(before) }),
  },
});

/** Records of this many first clicks. @param from the position of the first one in its shard */
const clicks = (count: number, from = 1, click: Click = {}): DynamoDBRecord[] =>
  Array.from({ length: count }, (_, n) => record(from + n, click));

const firstClicks = async () => {
  const [row] = await world.items(keys.counter({ of: 'link', shortLink: own.shortLink }).pk);
  return row?.firstClicks;
};
const agreements = () => world.deps().table.get<Record<string, unknown>>(keys.agreements(own.program.id));
const noted = (...minutes: readonly string[]) => ({
  ...keys.agreements(own.program.id),
  clickBursts: new Set(minutes.map((minute) => clickBurstOf(own.shortLink, `${minute}:00.000Z`))),
});
const start = async (settings: { velocityClicks?: number } = {}) => {
  own = await ownedBrand(world, settings);
};

describe('the number of first clicks on a link per minute, stored to find bursts,', () => {
  beforeAll(() => start());

  it('is stored for the newest two minutes that had clicks, in any order of arrival', async () => {
    await deliver([...clicks(3, 1, { minute: NEXT }), ...clicks(2, 4, { minute: '2026-11-20T15:03' })]);
    expect(await firstClicks()).toEqual({ '2026-11-20T15:03': 2, [NEXT]: 3 });
    await deliver([...clicks(4, 6), ...clicks(1, 10, { minute: '2026-11-20T15:02' })]);
    expect(await firstClicks()).toEqual({ [MINUTE]: 4, [NEXT]: 3 });
  });

  it('counts each click once, for any number of deliveries of its record', async () => {
    await deliver(clicks(3));
    await deliver(clicks(4));
    expect(await firstClicks()).toEqual({ [MINUTE]: 4 });
  });

  it('does not include later clicks of a visitor, or clicks by bots and previews', async () => {
    await deliver([
      record(1),
      record(2, { sk: 'CLICK#2026-11-20T15:04:30.000Z#2' }),
      record(3, { quality: 'bot' }),
      record(4, { quality: 'preview' }),
      record(5, { quality: 'repeat' }),
      record(6, { quality: 'paid_ad' }),
    ]);
    expect(await firstClicks()).toEqual({ [MINUTE]: 3 });
    const link = (await counterItems(world))[`LINK#${own.shortLink}`];
    expect(link).toMatchObject({ clicks: 4, botClicks: 2, repeatClicks: 1 });
  });

  it('is lowered by one when a click turns out to be a bot’s, and by no other change of a click', async () => {
    await deliver([record(1), record(2), record(3, { quality: 'bot' }, {}), record(4, {}, {})]);
    expect(await firstClicks()).toEqual({ [MINUTE]: 1 });
    await deliver([record(5, { quality: 'bot' }, {})]);
    expect(await firstClicks()).toEqual({});
  });
});

describe('a burst, a minute in which a link gets more first clicks than the program allows,', () => {
  it('is recorded when the 101st click arrives', async () => {
    await start();
    await deliver(clicks(100));
    expect(await agreements()).toBeUndefined();
    await deliver(clicks(1, 101));
    expect(await agreements()).toEqual(noted(MINUTE));
    await deliver([...clicks(50, 102), ...clicks(101, 152, { minute: NEXT })]);
    expect(await agreements()).toEqual(noted(MINUTE, NEXT));
  });

  it('is recorded above the program’s own limit, if the program has set one', async () => {
    await start({ velocityClicks: 10 });
    await deliver(clicks(10));
    expect(await agreements()).toBeUndefined();
    await deliver(clicks(1, 11));
    expect(await agreements()).toEqual(noted(MINUTE));
  });

  it('is recorded even if two newer minutes already have clicks', async () => {
    await start({ velocityClicks: 10 });
    const minutes = ['2026-11-20T15:01', '2026-11-20T15:02', MINUTE, NEXT];
    await deliver(minutes.flatMap((minute, n) => clicks(11, 1 + 11 * n, { minute })));
    expect(await agreements()).toEqual(noted(...minutes));
    expect(await firstClicks()).toEqual({ [MINUTE]: 11, [NEXT]: 11 });
  });

  it('is recorded if its clicks are counted from two shards in parallel', async () => {
    await start({ velocityClicks: 10 });
    await Promise.all([deliver(clicks(6), 'shardId-a'), deliver(clicks(6), 'shardId-b')]);
    expect(await firstClicks()).toEqual({ [MINUTE]: 12 });
    expect(await agreements()).toEqual(noted(MINUTE));
  });

  it('is recorded with the count of its clicks: if it cannot be written, none is counted, and the records come again', async () => {
    await start({ velocityClicks: 10 });
    const { pk } = keys.agreements(own.program.id);
    const reply = await failingUpdateOf(pk, refused('InternalServerError'), () =>
      handler({ shardId: SHARD, Records: clicks(11) }),
    );
    expect(reply.batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(await firstClicks()).toBeUndefined();
    await deliver(clicks(11));
    expect(await agreements()).toEqual(noted(MINUTE));
    expect((await counterItems(world))[`PROGRAM#${own.program.id}`]).toMatchObject({ clicks: 11 });
  });

  it('is not recorded, but its clicks are counted, if the item with the program’s bursts is full', async () => {
    await start({ velocityClicks: 10 });
    const { pk } = keys.agreements(own.program.id);
    await failingUpdateOf(pk, refused('ValidationException'), () => deliver(clicks(11)));
    expect(await firstClicks()).toEqual({ [MINUTE]: 11 });
    expect(await agreements()).toBeUndefined();
  });

  it('is not recorded for a program that does not exist', async () => {
    await start();
    await world.client.send(new DeleteCommand({ TableName: world.tableName, Key: keys.program(own.program.id) }));
    await deliver(clicks(101));
    expect(await agreements()).toBeUndefined();
  });
});

describe('the stored bursts of a program', () => {
  it('stay the same when the program’s groups change, and the groups stay the same when bursts are stored', async () => {
    await start();
    const { table } = world.deps();
    await recordBursts(table, own.program.id, 'clickBursts', [1]);
    const terms = { commission_type: 'percent', commission_rate: 30, duration_months: null };
    const made = await own.owner.post(`${own.path}/groups`, { name: 'Gold', terms });
    expect(made.status).toBe(200);
    await recordBursts(world.deps().table, own.program.id, 'signupBursts', [2]);
    const [group] = (await own.owner.get(`${own.path}/groups`)).body.data;
    const partner = `${own.path}/partners/${own.partner.id}`;
    expect((await own.owner.patch(partner, { group_id: group.id })).status).toBe(200);
    expect(await agreements()).toMatchObject({
      clickBursts: new Set([1]),
      signupBursts: new Set([2]),
      groups: [{ name: 'Gold', partnerIds: new Set([own.partner.id]) }],
      revision: 2,
    });
  });

  it.each([
    ['clickBursts', 800],
    ['signupBursts', 200],
  ] as const)('are limited to the newest %s: at most %i', async (kind, most) => {
    await start();
    const all = Array.from({ length: most }, (_, n) => n + 1);
    await recordBursts(world.deps().table, own.program.id, kind, all);
    expect((await agreements())?.[kind]).toEqual(new Set(all));
    await recordBursts(world.deps().table, own.program.id, kind, [1, most + 1]);
    expect((await agreements())?.[kind]).toEqual(new Set([...all.slice(51), most + 1]));
  });

  it('are written only once each, and two bursts that are written in parallel are both stored', async () => {
    await start();
    const bursts = [7, 8].map((id) => signupBurstOf(id, '2026-11-20T15:00:00.000Z', 'network1'));
    await Promise.all(bursts.map((burst) => recordBursts(world.deps().table, own.program.id, 'signupBursts', [burst])));
    expect((await agreements())?.signupBursts).toEqual(new Set(bursts));
    const { pk } = keys.agreements(own.program.id);
    const again = failingUpdateOf(pk, refused('InternalServerError'), () =>
      recordBursts(world.deps().table, own.program.id, 'signupBursts', bursts),
    );
    await expect(again).rejects.toThrow('No call to be failed');
  });
});
