import { permanentFailure, type CheckedPrompt, type PromptToCheck } from "@assay/guardrails"
import { formatJsonLine } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { writeStyled, writeText } from "../../output/write-text.ts"
import { formatCheck } from "./format-check.ts"
import { inOrder } from "./in-order.ts"
import type { EndpointOptions } from "./opened-guard.ts"
import { openGuard } from "./open-guard.ts"
import { readMessages, type MessageOptions } from "./read-messages.ts"

export interface CheckOptions extends EndpointOptions, MessageOptions {
  readonly config?: string
  readonly parallelism: number
}

/** Runs `assay guard check [text]`. The exit code is that of the worst message: an error, a block, an open verdict. */
export async function checkMessages(
  context: Context,
  text: string | undefined,
  options: CheckOptions,
): Promise<ExitCode> {
  if (options.model.length > 1) throw new AssayError("bad_usage", "guard check asks one judge: give --model once.")
  const guard = await openGuard(context, options.config, options.model[0], options)
  const seen = new Set<ExitCode>()
  // A program that reads from a pipe gets JSON, as it always did.
  const isForPeople = context.isTerminal.stdout && options.json !== true
  try {
    const { signal } = context
    const check = async (prompt: PromptToCheck) => ({ prompt, checked: await guard.check(prompt, { signal }) })
    for await (const { prompt, checked } of inOrder(readMessages(context, text, options), check, options.parallelism)) {
      seen.add(await printVerdict(context, prompt, checked, isForPeople))
    }
  } finally {
    await guard.close()
  }
  return [EXIT.fixable, EXIT.no, EXIT.inconclusive].find((code) => seen.has(code)) ?? EXIT.done
}

/** Prints a verdict and returns its exit code. @throws a failure that every other message would meet too */
async function printVerdict(
  { stdout }: Context,
  prompt: PromptToCheck,
  checked: CheckedPrompt,
  isForPeople: boolean,
): Promise<ExitCode> {
  const { status } = checked
  const rails = checked.rails.map(({ rail }) => rail)
  const failed = status === "unknown" ? rails.find(({ error }) => error !== null)?.error : undefined
  const permanent = permanentFailure(failed?.code)
  if (failed != null && permanent !== undefined) throw new AssayError(permanent, failed.message)
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
