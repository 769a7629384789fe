import { splitExact } from "../categories.ts"
import { readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^Safety: (Safe|Unsafe|Controversial)\nCategories: ([\w /():,.&-]*[\w/).&])(?:\nRefusal: (?:Yes|No))?\n?$/
const VALUES = { Safe: "safe", Unsafe: "unsafe", Controversial: "controversial" } as const

/** Qwen3Guard: three levels, a list, and for answers whether they are a refusal. */
export const qwen3guard: JudgeFamilyForm = {
  family: "qwen3guard",
  group: "qwen",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null || /(?:^|[\s,])[SO]$/.test(match[2] ?? "")) return undefined
    return readingFor(VALUES[match[1] as keyof typeof VALUES], direction, splitExact(match[2]))
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const value = user ?? response ?? ""
    const list = categories.length === 0 ? "None" : categories.map(({ raw }) => raw).join(", ")
    return `Safety: ${value.charAt(0).toUpperCase()}${value.slice(1)}\nCategories: ${list}`
  },
}
