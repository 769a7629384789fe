/** The options of a test of this suite: a reporter finds the requirements that it proves in its metadata. */
export function verifies(...ids: readonly string[]): { readonly meta: object } {
  return { meta: { verifies: ids } }
}
