import { expect, it } from 'vitest';
import type { IamDecision } from '#infra/emulator/iam-decisions.ts';
import { needOf, permissionsOf } from '#infra/emulator/permissions.ts';

const role = (...Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[]) => ({
  RoleName: 'click',
  RolePolicyList: [{ PolicyDocument: { Statement } }],
});

const call = (action: string, resource: string, of = 'click'): IamDecision => ({
  principal: `arn:aws:sts::000000000000:assumed-role/${of}/track-click`,
  action,
  resource,
  decision: 'Allow',
});

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';

it('permissionsOf lists every action that the statements of a role allow, and none that they deny', () => {
  const statements = [
    { Effect: 'Allow', Action: ['dynamodb:PutItem', 'dynamodb:Query'], Resource: TABLE },
    { Effect: 'Deny', Action: 's3:*', Resource: '*' },
  ];
  expect(permissionsOf([role(...statements)])).toEqual([
    { role: 'click', action: 'dynamodb:PutItem', resources: [TABLE] },
    { role: 'click', action: 'dynamodb:Query', resources: [TABLE] },
  ]);
});

it('needOf finds a recorded call for which a permission is needed, because no other permission allows it', () => {
  const all = permissionsOf([
    role(
      { Effect: 'Allow', Action: 'dynamodb:Query', Resource: TABLE },
      { Effect: 'Allow', Action: 'dynamodb:Query', Resource: `${TABLE}/index/*` },
    ),
  ]);
  const [ofTable, ofIndex] = all;
  const onIndex = call('dynamodb:Query', `${TABLE}/index/gsi1`);
  const byOthers = call('dynamodb:Query', TABLE, 'lead');
  expect(needOf(ofIndex!, all, [byOthers, onIndex])).toBe(onIndex);
  expect(needOf(ofTable!, all, [byOthers, onIndex])).toBeUndefined();
});

it('needOf finds no call if another permission allows the same call', () => {
  const all = permissionsOf([
    role(
      { Effect: 'Allow', Action: 'dynamodb:Query', Resource: TABLE },
      { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' },
    ),
  ]);
  expect(needOf(all[0]!, all, [call('dynamodb:Query', TABLE)])).toBeUndefined();
});
