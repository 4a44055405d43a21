import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up of a Fastify application. For forms, first register `@fastify/formbody`.
 * @param app the application
 * @param shop as in the recipe for Express
 */
export function addSignup(app, { createUser, sendLeads }) {
  app.post('/signup', async (request, reply) => {
    const user = await createUser({ ...request.body, clickId: clickIdFrom(request) });
    sendLeads();
    return reply.code(201).send({ id: user.id });
  });
}
