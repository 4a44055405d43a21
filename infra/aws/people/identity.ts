import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPool,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StandardThreatProtectionMode,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { MailSender } from '#infra/aws/people/mail.ts';
import type { OpenIdIssuer, Settings, SignInPages } from '#infra/aws/settings.ts';
import { stackUuid } from '#infra/aws/stack-uuid.ts';
import type { Stage } from '#infra/aws/stages.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';

/**
 * Lifetime of Cognito's tokens. It is short, because the dashboard exchanges the `id_token` for a login token at once.
 */
const TOKEN_VALIDITY = Duration.minutes(10);
/** The shortest validity that Cognito allows. Refresh tokens are not used. */
const REFRESH_TOKEN_VALIDITY = Duration.hours(1);

export interface IdentityProps extends Pick<
  Settings,
  'signInPrefix' | 'mailSender' | 'requireMfa' | 'threatProtection'
> {
  readonly stage: Stage;
}

/** A Cognito user pool with hosted sign-in for the dashboard and the CLI. */
export class Identity extends Construct {
  /** URL of the hosted pages and of the token endpoint. */
  readonly signInUrl: string;
  readonly #users: UserPool;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id);
    const pool = this.#pool(props);
    // The domain's prefix must be unique among all accounts in the region.
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: props.signInPrefix ?? `referrals-${stackUuid(Stack.of(this))}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    this.#users = pool;
    this.signInUrl = domain.baseUrl();
  }

  get pages(): SignInPages {
    const url = this.signInUrl;
    return { authorizationUrl: `${url}/oauth2/authorize`, tokenUrl: `${url}/oauth2/token`, logoutUrl: `${url}/logout` };
  }

  /** Creates the OpenID Connect client of a dashboard. @param dashboardUrl without a trailing slash */
  serve(dashboardUrl: string): OpenIdIssuer {
    const pool = this.#users;
    const client = dashboardClient(pool, dashboardUrl);
    // Without a style, Cognito shows no sign-in page for the client.
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const issuer = pool.userPoolProviderUrl;
    return { issuer, audience: client.userPoolClientId, jwksUrl: `${issuer}/.well-known/jwks.json` };
  }

  #pool({ stage, mailSender, requireMfa, threatProtection }: IdentityProps): UserPool {
    const pool = new UserPool(this, 'Pool', {
      // People can sign up by themselves, to accept an invitation or to create a workspace.
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true }, fullname: { mutable: true } },
      autoVerify: { email: true },
      // A changed address takes effect only when it is verified, because addresses decide which invitations a person
      // may accept.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      // The hosted sign-in page offers to set up a second factor only if the factor is required.
      mfa: requireMfa ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      featurePlan: threatProtection ? FeaturePlan.PLUS : FeaturePlan.ESSENTIALS,
      standardThreatProtectionMode: threatProtection ? StandardThreatProtectionMode.FULL_FUNCTION : undefined,
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.removalPolicy,
    });
    if (mailSender) (pool.node.defaultChild as CfnUserPool).emailConfiguration = this.#mailsOf(mailSender);
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'Production requires a second factor, unless the company decides otherwise: -c requireMfa=false.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason: "The Plus plan is paid from the first person on. It is the company's choice: -c threatProtection=true.",
      },
    );
    return pool;
  }

  /**
   * How Cognito sends its mails. It is set on the CloudFormation resource, because CDK's `UserPoolEmail` needs to know
   * the region at synthesis.
   */
  #mailsOf({ fromAddress, identityArn }: MailSender): CfnUserPool.EmailConfigurationProperty {
    const domain = fromAddress.slice(fromAddress.indexOf('@') + 1);
    const ofDomain = Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName: domain });
    return { emailSendingAccount: 'DEVELOPER', from: fromAddress, sourceArn: identityArn ?? ofDomain };
  }
}

/** A public client has no secret; its authorization codes are protected by PKCE, which the dashboard sends. */
function dashboardClient(pool: UserPool, dashboardUrl: string): UserPoolClient {
  return pool.addClient('Dashboard', {
    generateSecret: false,
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
      // Cognito accepts only a redirect to exactly this URL.
      callbackUrls: [`${dashboardUrl}${pagePaths.signedIn}`],
      logoutUrls: [`${dashboardUrl}${pagePaths.home}`],
    },
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    preventUserExistenceErrors: true,
    idTokenValidity: TOKEN_VALIDITY,
    accessTokenValidity: TOKEN_VALIDITY,
    refreshTokenValidity: REFRESH_TOKEN_VALIDITY,
  });
}
