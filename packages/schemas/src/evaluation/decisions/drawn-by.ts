/** How rows are drawn for labels. Apart from the schemas, because the help of the command lists it without loading them. */
export const DRAWN_BY = ["random", "uncertainty"] as const
