/** The floor: what a function costs that does nothing. */
export const handler = async () => ({ statusCode: 204 });
