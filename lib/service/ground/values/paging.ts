/** A page of a list, and where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of the last item; absent at the end of the list. */
  readonly next?: string;
}

export interface PageRequest {
  readonly most: number;
  /** Position after which the page begins; absent = at the start. */
  readonly after?: string;
}

/** Of a filter for those of which something is so, or is not. */
export const choices = ['true', 'false'] as const;
