import { AssayError, type ErrorCode } from "@assay/schemas"
import type { JudgedPrompt } from "./judged-prompt.ts"
import type { JudgeTally } from "./judge-tally.ts"

/** Failures that every further row would meet too. */
const HOPELESS: readonly ErrorCode[] = [
  "inference_unauthorized",
  "inference_tls",
  "inference_unreachable",
  "model_not_found",
  "quota_exhausted",
  "template_error",
]
/** So many failures before the first answer, and a candidate is given up. */
const HOPELESS_AFTER = 10

/** Spares the rest of the rows a candidate that can't answer. @throws the code of its failures */
export function checkAnswering(tally: JudgeTally, judged: JudgedPrompt): void {
  const { failures, answers, name } = tally
  const code = HOPELESS.find((one) => one === judged.reason)
  if (failures < HOPELESS_AFTER || answers > 0 || code === undefined) return
  throw new AssayError(
    code,
    `Judge "${name}" answered none of its first ${failures} prompts: ${judged.message ?? code}`,
  )
}
