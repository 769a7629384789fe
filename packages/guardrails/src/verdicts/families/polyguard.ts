import { splitExact } from "../categories.ts"
import type { JudgeFamilyForm } from "./judge-family-form.ts"

const CODES = String.raw`(?:None|S\d{1,2}(?:, ?S\d{1,2}){0,13})`
const FORM = new RegExp(
  `^Harmful request: (yes|no)\\nRequest safety violations: (${CODES})(?:\\nResponse refusal: (?:yes|no|N/A))?(?:\\nHarmful response: (yes|no|N/A))?(?:\\nResponse safety violations: (${CODES}))?\\n?$`,
)

/** PolyGuard: the questions of WildGuard, and the categories of each side. */
export const polyguard: JudgeFamilyForm = {
  family: "polyguard",
  group: "wildguard",
  readExact(text) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    const response = match[3] === "yes" ? "unsafe" : match[3] === "no" ? "safe" : null
    const categories = [...splitExact(match[2]), ...splitExact(match[4])]
    return { user: match[1] === "yes" ? "unsafe" : "safe", response, categories }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const codes = categories.map(({ raw }) => raw).join(",")
    const side = (name: "request" | "response", safety: string) => [
      `Harmful ${name}: ${safety === "safe" ? "no" : "yes"}`,
      `${name === "request" ? "Request" : "Response"} safety violations: ${(name === "request" || user === null) && codes !== "" ? codes : "None"}`,
    ]
    return [
      ...(user === null ? [] : side("request", user)),
      ...(response === null ? [] : side("response", response)),
    ].join("\n")
  },
}
