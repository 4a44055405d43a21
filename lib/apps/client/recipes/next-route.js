import { clickIdFrom } from 'referral-tracking-service';

/**
 * The sign-up as a route handler of Next.js, `app/signup/route.js`, or of anything else that speaks Request and Response:
 * `export const POST = signupRoute({ referrals, createUser });`
 * @param shop as in the recipe for Express
 */
export const signupRoute =
  ({ referrals, createUser, report = console.error }) =>
  async (request) => {
    const form = await request.formData();
    const user = await createUser(Object.fromEntries(form));
    const clickId = clickIdFrom(request, form);
    // A signup does not fail because tracking does.
    await referrals.trackLead({ customerId: user.id, clickId, email: user.email }).catch(report);
    return Response.json({ id: user.id }, { status: 201 });
  };
