import { argv, stdout } from 'node:process';

/** Imports a bundle, sends it one event, and prints the milliseconds for both: a cold start without Lambda's part. */
const [bundle, event] = argv.slice(2);
const startedAt = performance.now();
const { handler } = await import(bundle!);
const reply = await handler(JSON.parse(event!));
const milliseconds = performance.now() - startedAt;
if (reply.statusCode >= 500) throw new Error(reply.body);
stdout.write(String(milliseconds));
