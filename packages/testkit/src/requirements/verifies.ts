/**
 * Names the requirements that a test proves: `it("refuses a leading slash", verifies("files.path.leading-slash"), …)`.
 * Returns options of Vitest, so that reporters find the ids in the metadata of the test. `tooling/checks` reads these calls
 * from the source: each id has to be in the list of requirements.
 */
export function verifies(...ids: readonly [string, ...string[]]): { readonly meta: object } {
  return { meta: { verifies: ids } }
}
