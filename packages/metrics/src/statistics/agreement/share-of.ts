/** `part` as a share of `whole`; null of nothing, since 0 / 0 is no rate. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
