import type { ChatMessage } from "@assay/schemas"
import type { OpenedRails } from "./opened-rails.ts"
import type { RailOutcome } from "./rail.ts"
import { inputOf } from "./rail-inputs.ts"
import { runInOrder, runUntilBlocked } from "./run-rails.ts"

/**
 * Runs the input rails over the last message of the user.
 * @throws `invalid_request` where the user says nothing
 */
export async function judgeRequest(
  { input, inOrder }: Pick<OpenedRails, "input" | "inOrder">,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): Promise<readonly RailOutcome[]> {
  if (input.length === 0) return []
  const run = inOrder.input ? runInOrder : runUntilBlocked
  const outcomes = await run(input, inputOf(messages), signal === undefined ? {} : { signal })
  return outcomes.filter((outcome) => outcome !== null)
}
