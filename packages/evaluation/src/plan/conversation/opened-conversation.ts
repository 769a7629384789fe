import type { BoundMetric } from "@assay/scoring"
import type { Conversation } from "./compile-conversation.ts"
import type { ExchangePorts } from "./exchange.ts"
import type { OpenedUser } from "./simulated-user.ts"
import type { ToolBox } from "./tools/tool-box.ts"

/** A conversation that is ready to be held. */
export interface OpenedConversation extends ExchangePorts {
  readonly plan: Conversation
  readonly tools: ToolBox
  /** Undefined: the conversation has turns. */
  readonly user: OpenedUser | undefined
  /** The metrics of `plan.untils`. */
  readonly untils: ReadonlyMap<unknown, BoundMetric>
}
