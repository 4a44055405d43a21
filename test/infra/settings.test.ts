import { describe, expect, it } from 'vitest';
import { templateWith } from '#test/infra/synthesized.ts';

function environmentWith(context?: Record<string, string>): Record<string, unknown> {
  const [first] = Object.values(templateWith(context).findResources('AWS::Lambda::Function'));
  return first!.Properties.Environment.Variables;
}

describe('without settings', () => {
  it("the service lives at the API's own address", () => {
    const { BASE_URL, DASHBOARD_URL, DOCS_URL, PLATFORM_FEE_BPS } = environmentWith();
    expect(JSON.stringify(BASE_URL)).toContain('.execute-api.');
    expect(DASHBOARD_URL).toEqual(BASE_URL);
    expect(JSON.stringify(DOCS_URL)).toContain('/docs/errors');
    expect(PLATFORM_FEE_BPS).toBe('350');
  });
});

describe('with a base URL', () => {
  it('dashboard and documents follow it', () => {
    expect(environmentWith({ baseUrl: 'https://track.acme.test' })).toMatchObject({
      BASE_URL: 'https://track.acme.test',
      DASHBOARD_URL: 'https://track.acme.test',
      DOCS_URL: 'https://track.acme.test/docs/errors',
    });
  });
});

describe('wrong settings fail the synth', () => {
  it.each([
    [{ stage: 'staging' }, 'Unknown stage "staging"'],
    [{ baseUrl: 'track.acme.test' }, 'BASE_URL'],
    [{ baseUrl: 'https://track.acme.test/' }, 'BASE_URL'],
    [{ platformFeeBps: '10001' }, 'PLATFORM_FEE_BPS'],
    [{ oidcIssuer: 'https://login.acme.test' }, 'oidcIssuer, oidcAudience and oidcJwksUrl go together'],
    [{ oidcIssuer: 'i', oidcAudience: 'a', oidcJwksUrl: 'http://login.acme.test/keys' }, 'oidcJwksUrl'],
    [{ signInPrefix: 'Acme.Referrals' }, 'domainPrefix'],
    [{ requireMfa: 'yes' }, 'requireMfa must be true or false'],
    [{ threatProtection: 'on' }, 'threatProtection must be true or false'],
  ])('%j', (context, problem) => {
    expect(() => templateWith(context)).toThrow(problem);
  });
});
