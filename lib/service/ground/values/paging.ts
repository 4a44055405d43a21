/** A page of a list, and the position where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of the last item; undefined at the end of the list. */
  readonly next?: string;
}

export interface PageRequest {
  readonly most: number;
  /** Position after which the page begins; undefined for the start. */
  readonly after?: string;
}

/** Values of a yes/no filter. */
export const choices = ['true', 'false'] as const;
