/** The dashboard's fields on how a partner joined, for one whom the brand added. */
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
