/** The product's icon: two people connected by a line. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b54d6"/><path d="M10 21.5 22 10.5" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><circle cx="9.5" cy="22" r="4" fill="#fff"/><circle cx="22.5" cy="10" r="4" fill="#3b54d6" stroke="#fff" stroke-width="2.5"/></svg>
`;
