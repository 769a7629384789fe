import { withoutIds } from "@assay/validation"
import { ReleasePolicy } from "./release-policy.ts"

/** Returns the JSON Schema (draft 7) of a release policy, for editors and other validators. */
export function releasePolicySchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Release policy of Assay",
    ...(withoutIds(ReleasePolicy) as object),
  }
}
