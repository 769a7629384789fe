import type { PageQuery } from "../registry.ts"

/** Beyond what any database holds, and within what it reads as a number. */
const FARTHEST = 2 ** 52

/** How many records are in front of a page. */
export function pageOffset({ page, page_size }: PageQuery): number {
  return Math.min((page - 1) * page_size, FARTHEST)
}
