import { splitExact } from "../categories.ts"
import type { JudgeFamilyForm } from "./judge-family-form.ts"

const JSON_FORM =
  /^\{\s?"User Safety": ?"(safe|unsafe)"(?:, ?"Response Safety": ?"(safe|unsafe)")?(?:, ?"Safety Categories": ?"([\w /():,.&-]*)")?\s?\}\s?$/

/** NemoGuard content safety: an object with two ratings and a list. */
export const userSafetyJson: JudgeFamilyForm = {
  family: "user-safety-json",
  group: "user-safety",
  readExact(text) {
    const match = JSON_FORM.exec(text)
    if (match === null) return undefined
    const response = match[2] === undefined ? null : match[2] === "safe" ? "safe" : "unsafe"
    return { user: match[1] === "safe" ? "safe" : "unsafe", response, categories: splitExact(match[3]) }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    return JSON.stringify({
      ...(user === null ? {} : { "User Safety": user }),
      ...(response === null ? {} : { "Response Safety": response }),
      ...(categories.length === 0 ? {} : { "Safety Categories": categories.map(({ raw }) => raw).join(", ") }),
    })
  },
}

const LINES_FORM =
  /^User Safety: (safe|unsafe)(?:\nResponse Safety: (safe|unsafe))?(?:\nSafety Categories: ([\w /():,.&-]*[\w/).&]))?\n?$/

/** Nemotron content safety: the ratings of NemoGuard as lines. */
export const userSafetyLines: JudgeFamilyForm = {
  family: "user-safety-lines",
  group: "user-safety",
  readExact(text) {
    const match = LINES_FORM.exec(text)
    if (match === null || /(?:^|[\s,])[SO]$/.test(match[3] ?? "")) return undefined
    const response = match[2] === undefined ? null : match[2] === "safe" ? "safe" : "unsafe"
    return { user: match[1] === "safe" ? "safe" : "unsafe", response, categories: splitExact(match[3]) }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    return [
      ...(user === null ? [] : [`User Safety: ${user}`]),
      ...(response === null ? [] : [`Response Safety: ${response}`]),
      ...(categories.length === 0 ? [] : [`Safety Categories: ${categories.map(({ raw }) => raw).join(", ")}`]),
    ].join("\n")
  },
}
