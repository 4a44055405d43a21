import { describe, expect, it } from 'vitest';
import { only as onlyOf, propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';

const template = templateWith();

const only = (type: string, context?: Record<string, string>) =>
  onlyOf(context ? templateWith(context) : template, type);

describe('the user pool of Cognito', () => {
  const { properties } = only('AWS::Cognito::UserPool');

  it('treats e-mail addresses as case-insensitive when people sign in', () => {
    expect(properties.UsernameAttributes).toEqual(['email']);
    expect(properties.UsernameConfiguration).toEqual({ CaseSensitive: false });
    expect(properties.Schema).toContainEqual({ Name: 'email', Required: true, Mutable: true });
  });

  it('lets people sign up, so that an invitation needs no operator', () => {
    expect(properties.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: false });
  });

  it('verifies a new or changed e-mail address before it is used', () => {
    expect(properties.AutoVerifiedAttributes).toEqual(['email']);
    expect(properties.UserAttributeUpdateSettings).toEqual({ AttributesRequireVerificationBeforeUpdate: ['email'] });
  });

  it('sends the code for a forgotten password only to the verified e-mail address', () => {
    expect(properties.AccountRecoverySetting).toEqual({
      RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }],
    });
  });

  it('requires strong passwords', () => {
    expect(properties.Policies).toEqual({
      PasswordPolicy: {
        MinimumLength: 12,
        RequireLowercase: true,
        RequireUppercase: true,
        RequireNumbers: true,
        RequireSymbols: true,
        TemporaryPasswordValidityDays: 3,
      },
    });
  });

  it('accepts authenticator apps as second factor, but no SMS', () => {
    expect(properties).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(properties).not.toHaveProperty('SmsConfiguration');
  });

  it('sends its mails by Cognito’s default sender, or by SES if the settings name an address', () => {
    expect(properties).not.toHaveProperty('EmailConfiguration');
    const sesFromAddress = 'no-reply@acme.test';
    const domain = [
      '',
      [
        'arn:',
        { Ref: 'AWS::Partition' },
        ':ses:',
        { Ref: 'AWS::Region' },
        ':',
        { Ref: 'AWS::AccountId' },
        ':identity/acme.test',
      ],
    ];
    expect(only('AWS::Cognito::UserPool', { sesFromAddress }).properties.EmailConfiguration).toEqual({
      EmailSendingAccount: 'DEVELOPER',
      From: sesFromAddress,
      SourceArn: { 'Fn::Join': domain },
    });
    const sesIdentityArn = 'arn:aws:ses:eu-west-1:123456789012:identity/no-reply@acme.test';
    const { properties: named } = only('AWS::Cognito::UserPool', { sesFromAddress, sesIdentityArn });
    expect(named.EmailConfiguration).toEqual({
      EmailSendingAccount: 'DEVELOPER',
      From: sesFromAddress,
      SourceArn: sesIdentityArn,
    });
  });

  it('uses no features that Cognito charges extra for', () => {
    expect(properties.UserPoolTier).toBe('ESSENTIALS');
    expect(properties).not.toHaveProperty('UserPoolAddOns');
  });

  it.each([
    [{}, 'OPTIONAL'],
    [{ requireMfa: 'true' }, 'ON'],
    [{ stage: 'prod' }, 'ON'],
    [{ stage: 'prod', requireMfa: 'false' }, 'OPTIONAL'],
  ])('requires a second factor in production unless set otherwise: %j', (settings, mfa) => {
    expect(only('AWS::Cognito::UserPool', settings).properties.MfaConfiguration).toBe(mfa);
  });

  it('has threat protection if the setting enables it', () => {
    expect(only('AWS::Cognito::UserPool', { threatProtection: 'true' }).properties).toMatchObject({
      UserPoolTier: 'PLUS',
      UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
    });
  });

  it.each([
    { stage: 'dev', protection: 'INACTIVE', policy: 'Delete', replaced: 'Delete' },
    { stage: 'prod', protection: 'ACTIVE', policy: 'RetainExceptOnCreate', replaced: 'Retain' },
  ])('in the $stage stage has deletion protection $protection', ({ stage, protection, policy, replaced }) => {
    const pool = only('AWS::Cognito::UserPool', { stage });
    expect(pool.properties.DeletionProtection).toBe(protection);
    expect(pool.resource).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: replaced });
  });
});

describe('the hosted sign-in page', () => {
  const pool = { Ref: only('AWS::Cognito::UserPool').id };
  const client = only('AWS::Cognito::UserPoolClient').properties;

  it('uses the authorization code flow with a client that has no secret', () => {
    expect(client).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      SupportedIdentityProviders: ['COGNITO'],
    });
  });

  it('redirects to URLs of the dashboard only', () => {
    const host = { 'Fn::GetAtt': [expect.stringMatching(/^WebsiteDistribution/), 'DomainName'] };
    expect(client).toMatchObject({
      CallbackURLs: [{ 'Fn::Join': ['', ['https://', host, '/signed-in']] }],
      LogoutURLs: [{ 'Fn::Join': ['', ['https://', host, '/']] }],
    });
  });

  it('issues tokens that are valid for ten minutes', () => {
    expect(client).toMatchObject({
      IdTokenValidity: 10,
      AccessTokenValidity: 10,
      RefreshTokenValidity: 60,
      TokenValidityUnits: { IdToken: 'minutes', AccessToken: 'minutes', RefreshToken: 'minutes' },
    });
  });

  it('does not reveal whether an e-mail address has an account', () => {
    expect(client.PreventUserExistenceErrors).toBe('ENABLED');
  });

  it('has the default style, without which Cognito does not show it', () => {
    expect(only('AWS::Cognito::ManagedLoginBranding').properties).toEqual({
      UserPoolId: pool,
      ClientId: { Ref: only('AWS::Cognito::UserPoolClient').id },
      UseCognitoProvidedValues: true,
    });
  });

  it('has a domain name that contains the stack’s id, by default', () => {
    const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(only('AWS::Cognito::UserPoolDomain').properties).toEqual({
      UserPoolId: pool,
      ManagedLoginVersion: 2,
      Domain: { 'Fn::Join': ['', ['referrals-', uuid]] },
    });
  });

  it('has the domain name that the operator sets, if any', () => {
    expect(only('AWS::Cognito::UserPoolDomain', { signInPrefix: 'acme' }).properties.Domain).toBe('acme');
  });
});

/** The environment of the sign-in functions, which is the same for each. */
function signInEnvironmentOf(from: typeof template) {
  const environments = propertiesOf(from, 'AWS::Lambda::Function')
    .map(({ Environment }) => Environment.Variables)
    .filter((variables) => 'OIDC_ISSUER' in variables);
  const [first, ...others] = environments.map(({ OIDC_ISSUER, OIDC_AUDIENCE, OIDC_JWKS_URL }) => ({
    OIDC_ISSUER,
    OIDC_AUDIENCE,
    OIDC_JWKS_URL,
  }));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

it('the functions for sign-in accept tokens of the user pool for its client', () => {
  const issuer = { 'Fn::GetAtt': [only('AWS::Cognito::UserPool').id, 'ProviderURL'] };
  const audience = { Ref: only('AWS::Cognito::UserPoolClient').id };
  expect(signInEnvironmentOf(template)).toEqual({
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_JWKS_URL: { 'Fn::Join': ['', [issuer, '/.well-known/jwks.json']] },
  });
  expect(template.toJSON().Outputs).toMatchObject({
    OidcIssuer: { Value: issuer },
    OidcAudience: { Value: audience },
    SignInUrl: { Value: { 'Fn::Join': ['', expect.arrayContaining(['.amazoncognito.com'])] } },
  });
});

describe('a stack whose settings name another identity provider', () => {
  const other = templateWith({
    oidcIssuer: 'https://login.acme.test/',
    oidcAudience: 'referrals',
    oidcJwksUrl: 'https://keys.acme.test/keys',
    oidcAuthorizationUrl: 'https://login.acme.test/authorize',
    oidcTokenUrl: 'https://tokens.acme.test/token',
  });

  it('has no user pool and no other part of Cognito', () => {
    const types = Object.values<{ Type: string }>(other.toJSON().Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::Cognito'))).toEqual([]);
  });

  it('lets the functions for sign-in accept tokens of that identity provider', () => {
    expect(signInEnvironmentOf(other)).toEqual({
      OIDC_ISSUER: 'https://login.acme.test/',
      OIDC_AUDIENCE: 'referrals',
      OIDC_JWKS_URL: 'https://keys.acme.test/keys',
    });
  });

  it('names that identity provider in its outputs', () => {
    const { Outputs } = other.toJSON();
    expect(Outputs).toMatchObject({
      SignInUrl: { Value: 'https://tokens.acme.test' },
      OidcIssuer: { Value: 'https://login.acme.test/' },
      OidcAudience: { Value: 'referrals' },
    });
  });
});
