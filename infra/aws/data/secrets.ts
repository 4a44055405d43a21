import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import type { Use } from '#infra/routes.ts';
import type { SecretContext } from '#lib/service/ground/config/secret-context.ts';
import type { Settings } from '#infra/aws/settings.ts';
import type { Stage } from '#infra/aws/stages.ts';

type Needs = Pick<DeployedFunction, 'uses'>;

/**
 * For each use of the KMS key: the permitted action, and the name that the encryption context of each call must
 * contain.
 */
const vaultUses = {
  sealSecrets: ['kms:Encrypt', 'program_id'],
  openSecrets: ['kms:Decrypt', 'program_id'],
  sealDetails: ['kms:Encrypt', 'account_id'],
  openDetails: ['kms:Decrypt', 'account_id'],
  sealPayer: ['kms:Encrypt', 'workspace_id'],
  openPayer: ['kms:Decrypt', 'workspace_id'],
} as const satisfies Partial<Record<Use, readonly [action: string, contextName: keyof SecretContext]>>;

const ofVault = ({ uses }: Needs) =>
  uses.flatMap((use) => (Object.hasOwn(vaultUses, use) ? [vaultUses[use as keyof typeof vaultUses]] : []));

/** The operator's secrets, and the KMS key that encrypts the secrets and details of brands and partners. */
export class Secrets extends Construct {
  readonly platformName: string;
  /** Undefined if the canary is turned off. */
  readonly canaryName?: string;
  readonly keyArn: string;
  readonly #platform: Secret;
  readonly #canary?: Secret;

  constructor(
    scope: Construct,
    id: string,
    { removalPolicy }: Stage,
    { canary, vaultKeyArn }: Pick<Settings, 'canary' | 'vaultKeyArn'>,
  ) {
    super(scope, id);
    this.keyArn = vaultKeyArn ?? this.#newKey(removalPolicy).keyArn;
    this.#platform = new Secret(this, 'Platform', {
      description: 'Stripe: STRIPE_WEBHOOK_SECRET (several separated by commas) and STRIPE_SECRET_KEY',
      generateSecretString: UNSET,
      removalPolicy,
    });
    this.platformName = this.#platform.secretName;
    if (canary) {
      this.#canary = new Secret(this, 'Canary', {
        description: 'Canary: PROGRAM_API_KEY, the key of a program that exists for its test events',
        generateSecretString: UNSET,
        // Losing this secret does no harm: the operator can create another program key in the dashboard at any time.
        removalPolicy: RemovalPolicy.DESTROY,
      });
      this.canaryName = this.#canary.secretName;
    }
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'No API renews these secrets: the operator replaces them where they were issued.',
    });
  }

  #newKey(removalPolicy: RemovalPolicy): Key {
    return new Key(this, 'Vault', {
      description:
        "Seals signing secrets of webhook endpoints, partners' payout and billing details, and accounts that brands pay from",
      enableKeyRotation: true,
      // If this region is lost, a replica of the key in another region can decrypt the data.
      multiRegion: true,
      // The shortest waiting period before a deletion that KMS allows.
      pendingWindow: Duration.days(7),
      removalPolicy,
    });
  }

  /** Environment variables with which a function finds the secrets. */
  environment(needs: Needs): Record<string, string> {
    return {
      ...(ofVault(needs).length > 0 && { VAULT_KEY_ID: this.keyArn }),
      ...(needs.uses.includes('platformSecrets') && { STRIPE_SECRETS_ID: this.#platform.secretArn }),
      ...(needs.uses.includes('canaryKey') && { CANARY_SECRET_ID: this.#canary!.secretArn }),
    };
  }

  permissions(needs: Needs): PolicyStatement[] {
    return [
      // The condition limits what each function can decrypt: without it, the sender of webhooks could decrypt bank
      // details.
      ...ofVault(needs).map(
        ([action, contextName]) =>
          new PolicyStatement({
            actions: [action],
            resources: [this.keyArn],
            conditions: { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': contextName } },
          }),
      ),
      ...(needs.uses.includes('platformSecrets') ? [mayRead(this.#platform)] : []),
      ...(needs.uses.includes('canaryKey') ? [mayRead(this.#canary!)] : []),
    ];
  }
}

/**
 * The secret is an empty object until the operator fills it in, because a value given here would be in the
 * CloudFormation template.
 */
const UNSET = { secretStringTemplate: '{}', generateStringKey: 'placeholder' };

const mayRead = ({ secretArn }: Secret): PolicyStatement =>
  new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] });
