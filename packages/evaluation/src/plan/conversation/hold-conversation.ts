import { AssayError, type ConversationEnd, type ConversationTurn, type EvaluationSample } from "@assay/schemas"
import { conversations, type MetricDefinition, type SourceRow } from "@assay/scoring"
import type { AskOptions } from "../ask.ts"
import type { PlannedTurn } from "./compile-conversation.ts"
import { createExchange, endOfAnswers, type Exchange } from "./exchange.ts"
import { holdTurn } from "./hold-turn.ts"
import type { OpenedConversation } from "./opened-conversation.ts"
import type { ConversationTools } from "./tools/tool-box.ts"
import { createUser, type UserOfConversation } from "./simulated-user.ts"

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
  const system = plan.system?.render({ item })
  const exchange = createExchange(opened, {
    // Some rows have no system message.
    system: system === "" ? undefined : system,
    state: structuredClone(plan.state.render({ item })),
  })
  const turns: ConversationTurn[] = []
  const tools = opened.tools.begin(item, options)
  const holding = { opened, tools, exchange, item, turns, options }
  const user = opened.user === undefined ? undefined : createUser(opened.user, item)
  const end = await holdToEnd(user, holding)
  const record = await user?.end(turns, options)
  return {
    ...sampleSoFar(holding),
    state: exchange.state,
    end,
    ...(record === undefined ? {} : { user: record }),
    malformed_calls: exchange.faults.malformed,
    unknown_tools: exchange.faults.unknown,
    ...(exchange.faults.failed === 0 ? {} : { failed_tools: exchange.faults.failed }),
    turns,
  }
}

async function holdToEnd(user: UserOfConversation | undefined, holding: Holding): Promise<ConversationEnd> {
  try {
    return await (user === undefined ? holdAll(holding) : holdWithUser(user, holding))
  } finally {
    await holding.tools.close()
  }
}

interface Holding {
  readonly opened: OpenedConversation
  readonly tools: ConversationTools
  readonly exchange: Exchange
  readonly item: SourceRow["item"]
  readonly turns: ConversationTurn[]
  readonly options: AskOptions
}

async function holdAll(holding: Holding): Promise<ConversationEnd> {
  const { opened, item, turns } = holding
  for (const [turn, planned] of opened.plan.turnsOf(item).entries()) {
    for (let tried = 0; tried < (planned.repeat?.limit ?? 1); tried += 1) {
      const over = limitReached(holding)
      if (over !== undefined) return over
      const end = await addTurn(turn, planned.user({ item, turns }), holding)
      if (end !== undefined) return end
      if (await isPassed(planned, holding)) break
    }
  }
  return "turns"
}

/** Holds a conversation whose messages a model writes, until it ends the conversation or an answer passes its rule. */
async function holdWithUser(user: UserOfConversation, holding: Holding): Promise<ConversationEnd> {
  const { opened, turns, options } = holding
  const { stop } = opened.user?.plan ?? {}
  for (;;) {
    const over = limitReached(holding)
    if (over !== undefined) return over
    const text = await user.next(turns, options)
    if (text === undefined) return "stopped"
    const end = await addTurn(turns.length, text, holding)
    if (end !== undefined) return end
    if (stop !== undefined && (await doesPass(stop, holding))) return "stopped"
  }
}

/** Returns the limit that leaves no further turn. Undefined: none does. */
function limitReached({ opened, exchange, turns }: Holding): ConversationEnd | undefined {
  const { limits } = opened.plan
  if (turns.length >= limits.turns) return "limit_turns"
  return turns.length === 0 ? undefined : exchange.overLimit(limits)
}

/** Holds a turn and adds it to the others. Returns the limit that ended the conversation in it. Undefined: none did. */
async function addTurn(turn: number, user: string, holding: Holding): Promise<ConversationEnd | undefined> {
  const { end, ...held } = await holdTurn({ ...holding, user, limits: holding.opened.plan.limits })
  holding.turns.push({ ...held, turn })
  return end
}

/** Returns the last answer and the history so far, as metrics read them. */
function sampleSoFar({ exchange, turns }: Pick<Holding, "exchange" | "turns">) {
  const last = turns.at(-1)
  return {
    output_text: last?.output_text ?? null,
    ...exchange.totals(),
    finish_reason: endOfAnswers(turns.map((turn) => turn.finish_reason)),
    messages: exchange.messages,
  }
}

/** Returns whether the last answer passes the check of a turn that is repeated. A turn that is sent once always does. */
function isPassed({ repeat }: PlannedTurn, holding: Holding): boolean | Promise<boolean> {
  return repeat === undefined || doesPass(repeat.until, holding)
}

async function doesPass(check: MetricDefinition, holding: Holding): Promise<boolean> {
  const { opened, item, turns, options } = holding
  const metric = opened.untils.get(check)
  if (metric === undefined) throw new AssayError("internal", "The check of a turn is not open; report it.")
  const input = conversations.turnInput(conversations.input(item, sampleSoFar(holding), turns), turns.length - 1)
  return conversations.passes(metric, input, options)
}
