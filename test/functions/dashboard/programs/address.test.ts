import { describe, expect, it } from 'vitest';
import { handler as address } from '#functions/dashboard/address/get.ts';
import { ownerOf } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const addressOf = async (ip: string) => send(address, { method: 'GET', key: (await ownerOf(world)).token, ip });

describe('200', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:7:7::1', '2001:db8:7:7::1'],
  ])('a request from %s', async (ip, told) => {
    expect(await addressOf(ip)).toEqual(dataReply({ address: told }));
  });
});
