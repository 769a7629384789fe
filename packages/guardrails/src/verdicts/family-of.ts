import { JUDGE_FAMILIES, type JudgeFamily } from "@assay/schemas"
import { VENDOR_PARSERS } from "./data/vendor-parsers.ts"

/** The family that a name stands for: its own name, or that of a vendor's output parser. Undefined for any other. */
export function familyOf(name: string): JudgeFamily | undefined {
  return JUDGE_FAMILIES.find((family) => family === name) ?? VENDOR_PARSERS.get(name)
}
