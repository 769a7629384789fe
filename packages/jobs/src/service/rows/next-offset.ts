/** Returns the offset of the next page; null after the last one. @param count rows of this page */
export function nextOffset(offset: number, count: number, matched: number): number | null {
  return count > 0 && offset + count < matched ? offset + count : null
}
