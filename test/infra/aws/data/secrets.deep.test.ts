import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { consumers, deliverer, schedules } from '#infra/routes.ts';
import { propertiesOf, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith({ mailFrom: 'referrals@acme.test' });

const actionsOf = (name: string): string[] => statementsOf(template, name).flatMap(({ Action }) => [Action].flat());

/** The names of the functions with this permission. */
const mayDo = (action: string): string[] =>
  [...deployedFunctions.map(({ name }) => name), ...unasked].filter((name) => actionsOf(name).includes(action));

const unasked = [...consumers, ...schedules, deliverer].map((each) => each.function);

describe('functions that need a key or secret, and no other functions,', () => {
  it.each([
    [
      'kms:Encrypt',
      [
        'dashboard/payer/patch',
        'dashboard/processor/put',
        'dashboard/webhooks/post',
        'dashboard/webhook/secret',
        'partner/payout-details/put',
        'partner/billing/put',
      ],
    ],
    [
      'kms:Decrypt',
      [
        'dashboard/payer/patch',
        'dashboard/payout/get',
        'dashboard/payout-files/get',
        'dashboard/statement/get',
        'webhooks/stripe/program',
        'partner/export/get',
        'partner/payout-details/put',
        'partner/billing/get',
        'partner/billing/put',
        'partner/statement/get',
        'queue/deliver',
      ],
    ],
    [
      'secretsmanager:GetSecretValue',
      [
        'dashboard/processor/delete',
        'dashboard/processor/connect',
        'dashboard/processor/callback',
        'webhooks/stripe/platform',
      ],
    ],
  ])('have the permission %s', (action, names) => {
    expect(mayDo(action)).toEqual(names);
  });

  it('only have permissions to decrypt, to encrypt and to read a secret', () => {
    const all = [...deployedFunctions.map(({ name }) => name), ...unasked].flatMap(actionsOf);
    const ofSecrets = new Set(all.filter((action) => /^(kms|secretsmanager|ssm):/.test(action)));
    expect([...ofSecrets].toSorted()).toEqual(['kms:Decrypt', 'kms:Encrypt', 'secretsmanager:GetSecretValue']);
  });
});

describe('the KMS key of the vault', () => {
  it('is rotated every year, and may be replicated to another region', () => {
    expect(propertiesOf(template, 'AWS::KMS::Key')).toEqual([
      expect.objectContaining({ EnableKeyRotation: true, MultiRegion: true }),
    ]);
  });

  it('is not created if the settings name a key (the replica after the loss of a region), which functions then use', () => {
    const vaultKeyArn = 'arn:aws:kms:eu-north-1:123456789012:key/mrk-0123456789abcdef0123456789abcdef';
    const recovered = templateWith({ vaultKeyArn });
    expect(propertiesOf(recovered, 'AWS::KMS::Key')).toEqual([]);
    expect(statementsOf(recovered, 'queue/deliver')).toContainEqual(
      expect.objectContaining({ Action: 'kms:Decrypt', Resource: vaultKeyArn }),
    );
  });

  it.each([
    ['dev', 'Delete'],
    ['prod', 'RetainExceptOnCreate'],
  ])('has, like the secrets that it encrypts, this deletion policy in the stage %s: %s', (stage, policy) => {
    const [key] = Object.values(templateWith({ stage }).findResources('AWS::KMS::Key'));
    const [secret] = Object.values(templateWith({ stage }).findResources('AWS::SecretsManager::Secret'));
    expect([key?.DeletionPolicy, secret?.DeletionPolicy]).toEqual([policy, policy]);
  });
});

describe('the secret with the keys of the platform’s Stripe account', () => {
  it('is created once, and its value is not in the template', () => {
    expect(propertiesOf(template, 'AWS::SecretsManager::Secret')).toEqual([
      {
        Description: 'Stripe: STRIPE_WEBHOOK_SECRET (several separated by commas) and STRIPE_SECRET_KEY',
        GenerateSecretString: { SecretStringTemplate: '{}', GenerateStringKey: 'placeholder' },
      },
    ]);
    expect(JSON.stringify(template.toJSON())).not.toMatch(/whsec_|sk_(live|test)_/);
  });

  it('is named in an output, so that the operator can set its value', () => {
    expect(template.findOutputs('StripeSecretName')).toEqual({ StripeSecretName: { Value: expect.anything() } });
  });
});
