/** Returns the options of a test in this suite. A reporter finds the requirements that it proves in its metadata. */
export function verifies(...ids: readonly string[]): { readonly meta: object } {
  return { meta: { verifies: ids } }
}
