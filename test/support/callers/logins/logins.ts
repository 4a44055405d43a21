import { handler as callback } from '#functions/cli/auth/callback.ts';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Issuer } from '#test/support/callers/logins/issuer.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

// Steps of signing in. Functions whose name is a past participle, such as `started`, throw if their request fails.

/** Returns a time this many milliseconds after `NOW`, at which the tests' logins start. */
export const later = (ms: number): Date => new Date(NOW.getTime() + ms);

export const MINUTE = 60_000;

/** Starts a CLI login. @returns its state */
export async function started(at: Date = NOW): Promise<string> {
  const { status, body } = await send(start, { at });
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data.state;
}

export const callBack = (state: string, idToken: string, at: Date = NOW): Promise<TestReply> =>
  send(callback, { body: { state, id_token: idToken }, at });

export const pollFor = (state: string, at: Date = NOW): Promise<TestReply> =>
  send(poll, { method: 'GET', query: { state }, at });

/** Starts a CLI login and signs in the person with this address. @returns the login's state */
export async function completed(issuer: Issuer, email: string, at: Date = NOW): Promise<string> {
  const state = await started();
  const { status, body } = await callBack(state, await issuer.idToken({ sub: email, email }, { at }), at);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return state;
}

/** Completes a CLI login of the person with this address. @returns the login token */
export async function loggedIn(issuer: Issuer, email: string, at: Date = NOW): Promise<string> {
  const { body } = await pollFor(await completed(issuer, email, at), at);
  return body.data.token;
}

/** Reads all items that are stored for a CLI login. */
export const loginItems = (world: World, state: string) => world.items(`LOGIN#${sha256(state)}`);

/** A person as the issuer identifies them. */
export interface Subject {
  readonly sub: string;
  readonly email: string;
  readonly name?: string;
}

export function newSubject(): Subject {
  const email = newAddress();
  return { sub: `subject of ${email}`, email };
}

export const openSession = async (issuer: Issuer, subject: Subject): Promise<TestReply> =>
  send(session, { body: { id_token: await issuer.idToken({ ...subject }) } });

/** Signs a person in to the dashboard. @returns token, account and workspace, from the reply */
export async function signedIn(issuer: Issuer, subject: Subject): Promise<TestReply['body']> {
  const { status, body } = await openSession(issuer, subject);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
