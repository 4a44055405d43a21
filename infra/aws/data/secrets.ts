import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import type { Use } from '#infra/routes.ts';
import type { SecretContext } from '#lib/service/ground/config/secret-context.ts';
import type { Stage } from '#infra/aws/stages.ts';

type Needs = Pick<DeployedFunction, 'uses'>;

/** For each use of the vault: the action, and the name in the encryption context that every call of it must contain. */
const vaultUses = {
  sealSecrets: ['kms:Encrypt', 'program_id'],
  openSecrets: ['kms:Decrypt', 'program_id'],
  sealDetails: ['kms:Encrypt', 'account_id'],
  openDetails: ['kms:Decrypt', 'account_id'],
} as const satisfies Partial<Record<Use, readonly [action: string, contextName: keyof SecretContext]>>;

const ofVault = ({ uses }: Needs) =>
  uses.flatMap((use) => (Object.hasOwn(vaultUses, use) ? [vaultUses[use as keyof typeof vaultUses]] : []));

/** Secrets for the Stripe functions: the platform's own, and the KMS key that encrypts those of brands. */
export class Secrets extends Construct {
  readonly platformName: string;
  readonly #key: Key;
  readonly #platform: Secret;

  constructor(scope: Construct, id: string, { removalPolicy }: Stage) {
    super(scope, id);
    this.#key = new Key(this, 'Vault', {
      description: "Seals the signing secrets of the brands' webhook endpoints, and the payout details of partners",
      enableKeyRotation: true,
      // The shortest waiting period that KMS allows.
      pendingWindow: Duration.days(7),
      removalPolicy,
    });
    this.#platform = new Secret(this, 'Platform', {
      description: 'Stripe: STRIPE_WEBHOOK_SECRET (several separated by commas) and STRIPE_SECRET_KEY',
      // The secret is empty until the operator sets it; a value given here would be in the template.
      generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
      removalPolicy,
    });
    this.platformName = this.#platform.secretName;
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Stripe issues these secrets and no API renews them: the operator rolls them over, two valid at a time.',
    });
  }

  /** Environment variables with which a function finds the secrets. */
  environment(needs: Needs): Record<string, string> {
    return {
      ...(ofVault(needs).length > 0 && { VAULT_KEY_ID: this.#key.keyArn }),
      ...(needs.uses.includes('platformSecrets') && { STRIPE_SECRETS_ID: this.#platform.secretArn }),
    };
  }

  permissions(needs: Needs): PolicyStatement[] {
    return [
      // Without the condition, a function that sends webhooks could decrypt bank details.
      ...ofVault(needs).map(
        ([action, contextName]) =>
          new PolicyStatement({
            actions: [action],
            resources: [this.#key.keyArn],
            conditions: { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': contextName } },
          }),
      ),
      ...(needs.uses.includes('platformSecrets')
        ? [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.#platform.secretArn] })]
        : []),
    ];
  }
}
