import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up of a Fastify application; for forms, register `@fastify/formbody` before it.
 * @param app the application
 * @param shop as in the recipe for Express
 */
export function addSignup(app, { referrals, createUser, report = console.error }) {
  app.post('/signup', async (request, reply) => {
    const user = await createUser(request.body);
    // A signup does not fail because tracking does.
    await referrals.trackLead({ customerId: user.id, clickId: clickIdFrom(request), email: user.email }).catch(report);
    return reply.code(201).send({ id: user.id });
  });
}
