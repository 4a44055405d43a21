import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Deps, requestDeps } from '#lib/service/ground/effects/deps.ts';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { badRequest } from '#lib/service/ground/values/refusals.ts';
import { jsonBody } from '#lib/service/http/messages/body.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { type Handler, createHandler } from '#lib/service/http/messages/handler.ts';
import { authorizationCodes } from '#infra/local/identity/identity-provider-codes.ts';
import { newSigningKey, SIGNING_ALGORITHM } from '#infra/local/identity/identity-provider-key.ts';
import { signInPage, signInPageHeaders } from '#infra/local/identity/identity-provider-page.ts';
import { LOCAL_ISSUER_PATH, localIdentity } from '#infra/local/identity/local-identity.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;
type Fields = Readonly<Record<string, unknown>>;

interface Person {
  readonly email: string;
  readonly name?: string;
  readonly nonce?: string;
}

const AUTHORIZE_PATH = `${LOCAL_ISSUER_PATH}/authorize`;
const TOKEN_PATH = `${LOCAL_ISSUER_PATH}/token`;
const KEYS_PATH = `${LOCAL_ISSUER_PATH}/jwks.json`;
const LONGEST_NAME = 120;

/**
 * Routes of the OpenID Connect issuer of a local run. It accepts any e-mail address without a password. Its tokens are
 * verified by the same code as those of a real issuer.
 */
export function identityProviderRoutes(): ServedRoute[] {
  const key = newSigningKey();
  const codes = authorizationCodes();

  /**
   * Issues a token for a JSON body with an e-mail address, or for a form with the authorization code from the sign-in
   * page.
   */
  async function token({ event, deps }: RequestContext) {
    const { issuer = '', audience = '' } = deps.config.openId;
    const form = formOf(event);
    const { email, name, nonce } = form ? granted(form, deps) : personOf(jsonBody(event));
    return { id_token: await key.sign({ ...localIdentity(issuer, email, name), audience, nonce }, deps.now) };
  }

  function granted(form: Fields, { config, now }: Deps): Person {
    if (form.grant_type !== 'authorization_code') throw badRequest('grant_type must be authorization_code');
    const grant = codes.redeem(form, now);
    if (!grant || form.client_id !== config.openId.audience) throw badRequest('Invalid or expired code');
    return grant;
  }

  function signIn(event: Event, deps: Deps): Result {
    const form = formOf(event) ?? {};
    const { redirectUri, challenge, nonce, echoed } = authorizationRequest(form, event, deps);
    const code = codes.issue({ ...personOf(form), redirectUri, challenge, nonce }, deps.now);
    const location = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, ...echoed })) location.searchParams.set(name, value);
    return { statusCode: 302, headers: { Location: location.href, 'Cache-Control': 'no-store' } };
  }

  return [
    { method: 'GET', path: `${LOCAL_ISSUER_PATH}/.well-known/openid-configuration`, handler: jsonHandler(discovery) },
    { method: 'GET', path: KEYS_PATH, handler: jsonHandler(key.publicKeys) },
    { method: 'POST', path: TOKEN_PATH, handler: jsonHandler(token) },
    { method: 'GET', path: AUTHORIZE_PATH, handler: pageHandler(page) },
    { method: 'POST', path: AUTHORIZE_PATH, handler: pageHandler(signIn) },
  ];
}

const discovery = ({ deps: { config } }: RequestContext) => ({
  issuer: config.openId.issuer,
  authorization_endpoint: `${config.baseUrl}${AUTHORIZE_PATH}`,
  token_endpoint: `${config.baseUrl}${TOKEN_PATH}`,
  jwks_uri: `${config.baseUrl}${KEYS_PATH}`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'email', 'profile'],
  claims_supported: ['iss', 'aud', 'sub', 'iat', 'exp', 'auth_time', 'email', 'email_verified', 'name'],
});

function page(event: Event, deps: Deps): Result {
  const sent = event.queryStringParameters ?? {};
  const { clientId, redirectUri, challenge, nonce, echoed } = authorizationRequest(sent, event, deps);
  const hidden = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    ...(nonce !== undefined && { nonce }),
    ...echoed,
  };
  return {
    statusCode: 200,
    headers: signInPageHeaders(new URL(redirectUri).origin),
    body: signInPage(AUTHORIZE_PATH, hidden),
  };
}

/** Reads a client's authorization request. The page sends its fields again with its form. @throws Refusal */
function authorizationRequest(sent: Fields, event: Event, { config }: Deps) {
  const { redirect_uri: redirectUri, state, code_challenge: challenge, code_challenge_method: method = 'S256' } = sent;
  if (sent.response_type !== 'code') throw badRequest('response_type must be code');
  const clientId = config.openId.audience;
  if (clientId === undefined || sent.client_id !== clientId) throw badRequest('Unknown client_id');
  // The redirect must lead to the dashboard's origin, or to the host to which this request was sent.
  const own = [new URL(config.dashboardUrl).origin, `http://${event.requestContext.domainName}`];
  if (!isText(redirectUri) || !URL.canParse(redirectUri) || !own.includes(new URL(redirectUri).origin)) {
    throw badRequest('redirect_uri must be a URL of this service');
  }
  if (method !== 'S256' || !isText(challenge) || !/^[\w-]{43}$/.test(challenge)) {
    throw badRequest('code_challenge must be of method S256');
  }
  const echoed: Readonly<Record<string, string>> = isText(state) ? { state } : {};
  const nonce = isText(sent.nonce) ? sent.nonce : undefined;
  return { clientId, redirectUri, challenge, nonce, echoed };
}

/** Reads the person from the fields of a request. @throws Refusal */
function personOf({ email, name }: Fields): Person {
  const address = isText(email) ? addressOf(email) : undefined;
  if (address === undefined) throw badRequest('email must be a valid e-mail address');
  return { email: address, name: (isText(name) && name.trim().slice(0, LONGEST_NAME)) || undefined };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Reads the fields of a form; undefined if the body is JSON. The content type cannot decide, because curl sends a
 * form's content type for every body.
 */
function formOf({ body = '', isBase64Encoded, headers }: Event): Record<string, string> | undefined {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  return isForm && !/^\s*\{/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

const jsonHandler = (answer: (call: RequestContext) => object | Promise<object>): Handler =>
  createHandler({
    middlewares: [],
    errors: { failure: 'Request failed' },
    run: async (call) => ({ statusCode: 200, headers: {}, body: { ...(await answer(call)) } }),
  });

/** Wraps a handler whose reply is a page. Errors get the same format as in the API. */
const pageHandler =
  (answer: (event: Event, deps: Deps) => Result): Handler =>
  async (event) => {
    try {
      return answer(event, requestDeps(new Date(event.requestContext.timeEpoch), 'sign-in'));
    } catch (error) {
      return jsonHandler(() => {
        throw error;
      })(event);
    }
  };
