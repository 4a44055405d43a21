import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up as a Next.js route handler, `app/signup/route.js`, or for any other framework with Request and Response:
 * `export const POST = signupRoute({ createUser, sendLeads });`
 * @param shop as in the recipe for Express; where a function stops after its response, `sendLeads` is `() =>
 * after(run)`
 */
export const signupRoute =
  ({ createUser, sendLeads }) =>
  async (request) => {
    const form = await request.formData();
    const user = await createUser({ ...Object.fromEntries(form), clickId: clickIdFrom(request, form) });
    sendLeads();
    return Response.json({ id: user.id }, { status: 201 });
  };
