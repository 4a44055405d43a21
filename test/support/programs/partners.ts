/** The fields of a partner in the dashboard that say how the partner joined, if the brand added the partner. */
export const addedByBrand = {
  joined_at: null,
  invited_at: null,
  application: null,
  rejection_reason: null,
  accepted_terms: null,
  left_at: null,
  same_account: [],
  has_account: false,
};
