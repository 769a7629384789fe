import { AssayError, type ConversationEnd, type ConversationTurn, type EvaluationSample } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"
import type { AskOptions } from "../ask.ts"
import type { PlannedTurn } from "./compile-conversation.ts"
import { createExchange, type Exchange } from "./exchange.ts"
import { holdTurn } from "./hold-turn.ts"
import type { OpenedConversation } from "./opened-conversation.ts"

/** The sample of a conversation, and its turns without scores. */
export interface HeldConversation extends EvaluationSample {
  readonly turns: readonly ConversationTurn[]
}

/**
 * Holds the conversation of a row: sends each turn with the whole history, answers calls of tools, and stops at a limit. A conversation that
 * reached a limit is a sample like any other.
 * @throws the errors of the model; `template_error`; `rows_invalid`; `answer_unusable` for a history that is too long
 */
export async function holdConversation(
  opened: OpenedConversation,
  item: SourceRow["item"],
  options: AskOptions,
): Promise<HeldConversation> {
  const { plan } = opened
  const exchange = createExchange(opened, {
    system: plan.system?.render({ item }),
    state: structuredClone(plan.state.render({ item })),
  })
  const turns: ConversationTurn[] = []
  const end = await holdAll({ opened, exchange, item, turns, options })
  const last = turns.at(-1)
  return {
    output_text: last?.output_text ?? null,
    ...exchange.totals(),
    finish_reason: last?.finish_reason ?? null,
    messages: exchange.messages,
    state: exchange.state,
    end,
    malformed_calls: exchange.faults.malformed,
    unknown_tools: exchange.faults.unknown,
    turns,
  }
}

interface Holding {
  readonly opened: OpenedConversation
  readonly exchange: Exchange
  readonly item: SourceRow["item"]
  readonly turns: ConversationTurn[]
  readonly options: AskOptions
}

async function holdAll(holding: Holding): Promise<ConversationEnd> {
  const { opened, exchange, item, turns } = holding
  const { limits } = opened.plan
  for (const [turn, planned] of opened.plan.turnsOf(item).entries()) {
    for (let tried = 0; tried < (planned.repeat?.limit ?? 1); tried += 1) {
      if (turns.length >= limits.turns) return "limit_turns"
      const over = turns.length === 0 ? undefined : exchange.overLimit(limits)
      if (over !== undefined) return over
      const user = planned.user({ item, turns })
      const { end, ...held } = await holdTurn({ ...holding, user, limits })
      turns.push({ ...held, turn })
      if (end !== undefined) return end
      if (await isPassed(planned, holding)) break
    }
  }
  return "turns"
}

/** Returns whether the last answer passes the check of a turn that is repeated. A turn that is sent once always does. */
async function isPassed({ repeat }: PlannedTurn, holding: Holding): Promise<boolean> {
  if (repeat === undefined) return true
  const { opened, exchange, item, turns, options } = holding
  const metric = opened.untils.get(repeat.until)
  if (metric === undefined) throw new AssayError("internal", "The check of a repeated turn is not open; report it.")
  const last = turns.at(-1)
  const sample = {
    output_text: last?.output_text ?? null,
    ...exchange.totals(),
    finish_reason: last?.finish_reason ?? null,
    messages: exchange.messages,
  }
  const input = conversations.turnInput(conversations.input(item, sample, turns), turns.length - 1)
  return conversations.passes(metric, input, options)
}
