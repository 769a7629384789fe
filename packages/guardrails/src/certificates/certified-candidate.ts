import type { Certificate } from "@assay/schemas"

/** Returns the candidate that a certificate certifies, or undefined if there is none. Its name alone is not enough: names can repeat. */
export function certifiedCandidate({
  candidates,
  chosen,
}: Pick<Certificate, "candidates" | "chosen">): Certificate["candidates"][number] | undefined {
  return candidates.find(({ name, result }) => name === chosen && result === "certified")
}
