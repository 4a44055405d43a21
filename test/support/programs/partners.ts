/** The dashboard's data of how an added person became a partner. */
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
