import { handler as callback } from '#functions/cli/auth/callback.ts';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Issuer } from '#test/support/callers/logins/issuer.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

// Steps of signing in. A step whose name is in the past tense throws if its request fails.

/** A time this many milliseconds after `NOW`, when the login starts. */
export const later = (ms: number): Date => new Date(NOW.getTime() + ms);

export const MINUTE = 60_000;

/** @returns the state of a new login */
export async function started(at: Date = NOW): Promise<string> {
  const { status, body } = await send(start, { at });
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data.state;
}

export const callBack = (state: string, idToken: string, at: Date = NOW): Promise<TestReply> =>
  send(callback, { body: { state, id_token: idToken }, at });

export const pollFor = (state: string, at: Date = NOW): Promise<TestReply> =>
  send(poll, { method: 'GET', query: { state }, at });

/** Starts a login at `NOW` and signs in the person with this address. @returns its state */
export async function completed(issuer: Issuer, email: string, at: Date = NOW): Promise<string> {
  const state = await started();
  const { status, body } = await callBack(state, await issuer.idToken({ sub: email, email }, { at }), at);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return state;
}

/** Signs in the CLI as the person with this address. @returns the login token */
export async function loggedIn(issuer: Issuer, email: string, at: Date = NOW): Promise<string> {
  const { body } = await pollFor(await completed(issuer, email, at), at);
  return body.data.token;
}

/** All items stored for a login. */
export const loginItems = (world: World, state: string) => world.items(`LOGIN#${sha256(state)}`);

/** A person as identified by the issuer. */
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

/** Signs in to the dashboard. @returns token, account and workspace from the session's reply */
export async function signedIn(issuer: Issuer, subject: Subject): Promise<TestReply['body']> {
  const { status, body } = await openSession(issuer, subject);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
