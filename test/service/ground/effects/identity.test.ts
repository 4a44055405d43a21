import { type CryptoKey, exportJWK, exportSPKI, importJWK, type JWTHeaderParameters } from 'jose';
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '#lib/service/ground/effects/container.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { verifiedIdentity } from '#lib/service/ground/effects/identity.ts';
import {
  AUDIENCE,
  ISSUER,
  type Issuer,
  type IssuerKey,
  issuerKey,
  openIssuer,
} from '#test/support/callers/logins/issuer.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let issuer: Issuer;
let stranger: IssuerKey;
beforeAll(async () => {
  [world, issuer, stranger] = await Promise.all([openWorld(), openIssuer(), issuerKey('stranger')]);
});

const seconds = (count: number) => new Date(NOW.getTime() + count * 1000);
const verified = (token: string, at: Date = NOW) => verifiedIdentity(world.deps(at), token);

const jane = { issuer: ISSUER, subject: 'jane', email: 'jane@people.test', name: undefined };
const nowSeconds = NOW.getTime() / 1000;

/** Number of minutes so far. Each test with an early fetch of the keys is in a separate minute. */
let minutes = 0;
const ownMinute = () => seconds(60 * 60 * ++minutes);

describe('an identity provider whose keys cannot be read', () => {
  it.each([
    ['answers 500', () => issuer.answerWith(500)],
    ['returns an invalid key set', () => issuer.publish('no keys')],
  ])('because it %s causes an error, not the refusal of the token', async (_, breakDown) => {
    breakDown();
    await expect(verified(await issuer.idToken())).rejects.toThrow(/JSON Web Key Set/);
    issuer.answerWith(200);
    issuer.publish([issuer.first]);
  });

  it('is asked again at the next sign-in', async () => {
    expect(await verified(await issuer.idToken())).toEqual(jane);
  });

  it('causes no error while its keys are cached', async () => {
    issuer.answerWith(500);
    expect(await verified(await issuer.idToken())).toEqual(jane);
    issuer.answerWith(200);
  });

  it('causes an error for a token with an unknown key, because the key may be new', async () => {
    issuer.answerWith(503);
    const at = ownMinute();
    await expect(verified(await issuer.idToken({}, { at, key: stranger }), at)).rejects.toThrow(/JSON Web Key Set/);
    issuer.answerWith(200);
  });

  it('causes an error if no identity provider is configured', async () => {
    const deps = requestDeps(NOW, 'test', {}, createContainer({ ...process.env, OIDC_JWKS_URL: undefined }));
    await expect(verifiedIdentity(deps, await issuer.idToken())).rejects.toThrow(
      'Sign-in needs OIDC_ISSUER, OIDC_AUDIENCE and OIDC_JWKS_URL',
    );
  });
});

describe('the token of a person who signs in is accepted', () => {
  it('with its e-mail trimmed and lower-cased, and its name', async () => {
    const token = await issuer.idToken({ email: ' Jane@People.TEST ', name: 'Jane Doe' });
    expect(await verified(token)).toEqual({ ...jane, name: 'Jane Doe' });
  });

  it.each([
    ['for several audiences including the service', { aud: ['other', AUDIENCE] }],
    ['with a name that is not a string', { name: 7 }],
    ['with the longest subject', { sub: 's'.repeat(255) }],
    ['with a start time of now', { nbf: nowSeconds }],
    ['from a clock that is 30 seconds fast', { nbf: nowSeconds + 30, iat: nowSeconds + 30 }],
    ['that expires in a second', { exp: nowSeconds + 1 }],
    ['that expired 29 seconds ago', { exp: nowSeconds - 29 }],
  ])('%s', async (_, claims) => {
    const { sub: subject = 'jane' } = claims as { sub?: string };
    expect(await verified(await issuer.idToken(claims))).toEqual({ ...jane, subject });
  });

  it('with its name cut to 120 characters', async () => {
    const { name } = (await verified(await issuer.idToken({ name: 'n'.repeat(10_000) })))!;
    expect(name).toBe('n'.repeat(120));
  });

  it('without a key id, as long as the identity provider has only one key', async () => {
    expect(await verified(await issuer.idToken({}, { header: { kid: undefined } }))).toEqual(jane);
  });

  it('if it is valid by the clock of the service, even if it is not by the clock of the machine', async () => {
    const token = await issuer.idToken({}, { at: seconds(86_400 * 365) });
    expect(await verified(token, seconds(86_400 * 365 + 629))).toEqual(jane);
    expect(await verified(token, seconds(86_400 * 365 + 630))).toBeUndefined();
    expect(await verified(token, seconds(86_400 * 365 - 30))).toEqual(jane);
    expect(await verified(token, seconds(86_400 * 365 - 31))).toBeUndefined();
  });
});

describe('the token of a person who signs in is refused because of its claims:', () => {
  it.each<[string, Record<string, unknown>]>([
    ['no issuer', { iss: undefined }],
    ['another issuer', { iss: 'https://other.test' }],
    ['the right issuer with a trailing slash', { iss: `${ISSUER}/` }],
    ['no audience', { aud: undefined }],
    ['another audience', { aud: 'other' }],
    ['audiences without the service', { aud: ['other', `${AUDIENCE}2`] }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is not a string', { sub: 7 }],
    ['a subject that is too long', { sub: 's'.repeat(256) }],
    ['a subject with a control character', { sub: 'jane\u0000' }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is not a number', { exp: '2999-01-01' }],
    ['an expiry 30 seconds ago', { exp: nowSeconds - 30 }],
    ['an expiry a year ago', { exp: nowSeconds - 365 * 86_400 }],
    ['a start 31 seconds in the future', { nbf: nowSeconds + 31 }],
    ['a start that is not a number', { nbf: 'now' }],
    ['no e-mail', { email: undefined }],
    ['an e-mail that is not a string', { email: ['jane@people.test'] }],
    ['an invalid e-mail', { email: 'jane' }],
    ['an unverified e-mail', { email_verified: false }],
    ['an e-mail without verification', { email_verified: undefined }],
    ['an e-mail verified by a string', { email_verified: 'true' }],
    ['an e-mail verified by a number', { email_verified: 1 }],
  ])('%s', async (_, claims) => {
    expect(await verified(await issuer.idToken(claims))).toBeUndefined();
  });
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the token of a person who signs in is refused because of its signature', () => {
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'jane',
    exp: nowSeconds + 600,
    email: jane.email,
    email_verified: true,
  };

  it.each(['none', 'None', 'NONE'])('with alg %s', async (alg) => {
    const unsigned = `${base64url({ alg, kid: 'first' })}.${base64url(claims)}.`;
    expect(await verified(unsigned)).toBeUndefined();
    const [, , signature] = (await issuer.idToken()).split('.');
    expect(await verified(`${unsigned}${signature}`)).toBeUndefined();
  });

  it('if it is signed with HS256 and the public key as secret, in any encoding', async () => {
    const { jwk } = issuer.first;
    const spki = await exportSPKI((await importJWK({ ...jwk, ext: true }, 'RS256')) as CryptoKey);
    for (const secret of [spki, spki.trim(), jwk.n!, Buffer.from(jwk.n!, 'base64url'), JSON.stringify(jwk)]) {
      const signed = `${base64url({ alg: 'HS256', kid: 'first' })}.${base64url(claims)}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await verified(`${signed}.${signature}`)).toBeUndefined();
    }
  });

  it.each(['RS384', 'RS512', 'PS256'])(
    'if it is signed with %s, although its key names no algorithm and was used with another one before',
    async (alg) => {
      const [at, key] = [ownMinute(), await issuerKey(`any algorithm, even ${alg}`)];
      const { alg: _, ...jwk } = key.jwk;
      issuer.publish([issuer.first, { ...key, jwk }]);
      expect(await verified(await issuer.idToken({}, { at, key }), at)).toEqual(jane);
      const privateKey = (await importJWK(await exportJWK(key.privateKey), alg)) as CryptoKey;
      const token = await issuer.idToken({}, { at, key: { ...key, privateKey }, header: { alg } });
      expect(await verified(token, at)).toBeUndefined();
      issuer.publish([issuer.first]);
    },
  );

  it.each<[string, Partial<JWTHeaderParameters>]>([
    ['under the id of the issuer’s key', { kid: 'first' }],
    ['without a key id', { kid: undefined }],
    ['with an embedded key', { kid: 'first', jwk: {} }],
    ['with a URL of its keys', { kid: 'first', jku: 'https://stranger.test/keys' }],
    ['with an unknown critical header', { kid: 'first', crit: ['b64'], b64: true }],
  ])('with an unknown key, %s', async (_, header) => {
    const own = 'jwk' in header ? { ...header, jwk: stranger.jwk } : header;
    expect(await verified(await issuer.idToken({}, { key: stranger, header: own }))).toBeUndefined();
  });

  it('with a key that the identity provider does not publish', async () => {
    const at = ownMinute();
    expect(await verified(await issuer.idToken({}, { at, key: stranger }), at)).toBeUndefined();
  });

  it('with the signature of another token', async () => {
    const [[header, , signature], [, payload]] = [
      (await issuer.idToken()).split('.'),
      (await issuer.idToken({ sub: 'somebody-else' })).split('.'),
    ];
    expect(await verified(`${header}.${payload}.${signature}`)).toBeUndefined();
  });

  it('with any one character changed', async () => {
    const token = await issuer.idToken();
    for (let at = 0; at < token.length - 1; at += 17) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(await verified(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, ownMinute())).toBeUndefined();
    }
  });

  it.each([
    ['nothing', ''],
    ['dots', '..'],
    ['words', 'not a token'],
    ['two parts', 'e30.e30'],
    ['five parts like an encrypted token', 'e30.e30.e30.e30.e30'],
    ['a header that is not an object', `${base64url([])}.${base64url(claims)}.AAAA`],
    ['a numeric key id', `${base64url({ alg: 'RS256', kid: 1 })}.${base64url(claims)}.AAAA`],
    ['a key id named like a property of Object', `${base64url({ alg: 'RS256', kid: '__proto__' })}.e30.AAAA`],
    ['200,000 characters', 'a'.repeat(200_000)],
    ['a login token', `lgn_${'0'.repeat(40)}`],
  ])('if it consists of %s', async (_, token) => {
    expect(await verified(token, ownMinute())).toBeUndefined();
  });

  it.each([['[]'], ['"jane"'], ['null'], ['{'], ['']])(
    'if its payload is signed but is the text %j',
    async (payload) => {
      const header = base64url({ alg: 'RS256', kid: 'first' });
      const signed = `${header}.${Buffer.from(payload).toString('base64url')}`;
      const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', issuer.first.privateKey, Buffer.from(signed));
      expect(await verified(`${signed}.${Buffer.from(signature).toString('base64url')}`)).toBeUndefined();
    },
  );
});

describe('the keys of the identity provider', () => {
  it('are fetched once for many tokens', async () => {
    const before = issuer.fetches();
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((sub) => issuer.idToken({ sub })));
    await Promise.all(tokens.map((token) => verified(token)));
    expect(issuer.fetches()).toBe(before);
  });

  it('are fetched again at once for a token with an unknown key id', async () => {
    const [at, before, second] = [ownMinute(), issuer.fetches(), await issuerKey('second')];
    issuer.publish([issuer.first, second]);
    expect(await verified(await issuer.idToken({}, { at, key: second }), at)).toEqual(jane);
    expect(await verified(await issuer.idToken({}, { at }), at)).toEqual(jane);
    expect(issuer.fetches()).toBe(before + 1);
    // The issuer has two keys, so a token needs a key id.
    expect(await verified(await issuer.idToken({}, { at, header: { kid: undefined } }), at)).toBeUndefined();

    issuer.publish([second]);
    const unknown = await issuer.idToken({}, { at, key: stranger });
    expect(await verified(unknown, at)).toBeUndefined();
    expect(await verified(await issuer.idToken({}, { at }), at)).toBeUndefined();
    expect(await verified(await issuer.idToken({}, { at, key: second }), at)).toEqual(jane);
    issuer.publish([issuer.first]);
  });

  it('are fetched at most ten times a minute for tokens with unknown key ids', async () => {
    const [at, before] = [ownMinute(), issuer.fetches()];
    for (let n = 0; n < 12; n++) {
      const header = { kid: `unknown-${n}` };
      expect(await verified(await issuer.idToken({}, { at, key: stranger, header }), at)).toBeUndefined();
    }
    expect(issuer.fetches()).toBe(before + 10);
    expect(await verified(await issuer.idToken({}, { at }), at)).toEqual(jane);
    const next = new Date(at.getTime() + 60_000);
    await verified(await issuer.idToken({}, { at: next, key: stranger }), next);
    expect(issuer.fetches()).toBe(before + 11);
  });
});
