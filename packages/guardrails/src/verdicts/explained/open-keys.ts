import { VERDICT_KEYS } from "../data/keys.ts"
import type { KeyGroup, Statement } from "../statements/statement.ts"

/** The other keys of each group, which follow its verdict. */
const FOLLOWING: Readonly<Record<KeyGroup, string>> = {
  "user-safety": "safetycategories safetycategory violatedcategories categories category",
  harm: "",
  qwen: "categories category refusal",
  wildguard: "responserefusal requestsafetyviolations responsesafetyviolations",
  flagged: "categories category",
  violation: "policycategory ruleids",
  reasoned: "completion response",
  bare: "categories category violatedcategories safetycategories",
}

/**
 * Returns the keys that may stand beside a safe verdict without a value, because a cut took it: those of the same family that say
 * nothing about a side with a verdict. Any other key without a value is the rest of another verdict.
 */
export function openKeys(statements: readonly Statement[]): ReadonlySet<string> {
  const group = statements.find(({ value }) => value === "safe")?.group ?? "bare"
  const said = new Set(
    statements.filter(({ value }) => value !== "missing" && value !== "absent").map(({ side }) => side),
  )
  const keys = [...VERDICT_KEYS].filter(([, key]) => key.group === group)
  const isOpen = ({ side }: { readonly side: Statement["side"] }) => side !== "direction" && !said.has(side)
  return new Set([
    ...keys.filter(([, key]) => isOpen(key)).map(([name]) => name),
    ...FOLLOWING[group].split(" ").filter((name) => name !== ""),
  ])
}
