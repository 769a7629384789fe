import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import type { CheckedPrompt, PromptToCheck } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { formatJsonLine } from "@assay/reports/terminal"
import { writeStyled, writeText } from "../../output/write-text.ts"
import { formatCheck } from "./format-check.ts"
import { inOrder } from "./in-order.ts"
import type { EndpointOptions } from "./guard-options.ts"
import { openGuard } from "./open-guard.ts"
import { readMessages, type MessageOptions } from "./read-messages.ts"

export interface CheckOptions extends EndpointOptions, MessageOptions {
  readonly config?: string
  readonly parallelism: number
}

/** `assay guard check [text]`: the answer is no where a message is blocked. */
export async function checkMessages(
  context: Context,
  text: string | undefined,
  options: CheckOptions,
): Promise<ExitCode> {
  if (options.model.length > 1) throw new AssayError("bad_usage", "One judge at a time: give --model once.")
  const guard = await openGuard(context, options.config, options.model[0], options)
  const seen = new Set<ExitCode>()
  // Programs read from pipes, and are not to be told otherwise than before.
  const isForPeople = context.isTerminal.stdout && options.json !== true
  try {
    const { signal } = context
    const check = async (prompt: PromptToCheck) => ({ prompt, checked: await guard.check(prompt, { signal }) })
    for await (const { prompt, checked } of inOrder(readMessages(context, text, options), check, options.parallelism)) {
      seen.add(await tell(context, prompt, checked, isForPeople))
    }
  } finally {
    await guard.close()
  }
  return [EXIT.fixable, EXIT.no, EXIT.inconclusive].find((code) => seen.has(code)) ?? EXIT.done
}

/** Prints a verdict, and answers with what it means for the exit code. @throws what every other message would meet too */
async function tell(
  { stdout }: Context,
  prompt: PromptToCheck,
  checked: CheckedPrompt,
  isForPeople: boolean,
): Promise<ExitCode> {
  const { status } = checked
  const rails = checked.rails.map(({ rail }) => rail)
  const failed = status === "unknown" ? rails.find(({ error }) => error !== null)?.error : undefined
  if (failed != null && HOPELESS.has(failed.code)) throw new AssayError(codeOf(failed.code), failed.message)
  if (isForPeople) {
    await writeStyled(stdout, formatCheck(prompt, checked))
    return exitCodeOf(checked, failed != null)
  }
  const verdict = rails.find((rail) => rail.verdict !== null)?.verdict
  const line = {
    status,
    user_safety: verdict?.user_safety ?? null,
    response_safety: verdict?.response_safety ?? null,
    categories: verdict?.categories.map(({ raw }) => raw) ?? [],
    prompt: prompt.prompt,
    ...(prompt.response === undefined ? {} : { response: prompt.response }),
    rails,
  }
  await writeText(stdout, formatJsonLine(line))
  return exitCodeOf(checked, failed != null)
}

function exitCodeOf({ status }: CheckedPrompt, isFailed: boolean): ExitCode {
  if (isFailed) return EXIT.fixable
  return { success: EXIT.done, blocked: EXIT.no, unknown: EXIT.inconclusive }[status]
}

/** Failures that the next message meets too: they are told once, with what to do. */
const HOPELESS: ReadonlySet<string> = new Set<ErrorCode>([
  "inference_unauthorized",
  "inference_tls",
  "inference_unreachable",
  "model_not_found",
  "quota_exhausted",
  "template_error",
])

function codeOf(code: string): ErrorCode {
  return code in ERROR_CATALOGUE ? (code as ErrorCode) : "bad_response"
}
