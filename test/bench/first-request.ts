import { argv, stdout } from 'node:process';

/**
 * Imports a bundle, sends one event to it, and prints how many milliseconds that took. It is the part of a cold start
 * that does not depend on Lambda.
 */
const [bundle, event] = argv.slice(2);
const startedAt = performance.now();
const { handler } = await import(bundle!);
const reply = await handler(JSON.parse(event!));
const milliseconds = performance.now() - startedAt;
if (reply.statusCode >= 500) throw new Error(reply.body);
stdout.write(String(milliseconds));
