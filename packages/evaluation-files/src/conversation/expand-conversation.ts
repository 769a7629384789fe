import { isJsonObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import { MAX_TURNS, type ConversationConfig, type EvaluationModel } from "@assay/schemas"
import { faultAt, pointerTo } from "../document-faults.ts"
import { type ExpandedCheck, expandCheck } from "../expand-check.ts"
import type { Faults } from "../faults.ts"
import { type ExpandedModel, expandModel } from "../short/short-model.ts"
import type { ShortCheckEntry, ShortEvaluation } from "../short/short-evaluation.ts"
import type { ShortModel } from "../short/short-model-schema.ts"
import { conversationFault } from "./conversation-faults.ts"
import { expandTools } from "./expand-tools.ts"

/** A conversation of the short form, as the long form has it. */
export interface ExpandedConversation {
  /** Undefined: the file has none. */
  readonly config: ConversationConfig | undefined
  /** The checks of turns, by the names that gates can have: `contains`, and `contains@2` for each turn. */
  readonly checks: ReadonlyMap<string, ExpandedCheck>
}

interface Context {
  readonly document: LocatedDocument
  readonly model: ExpandedModel | undefined
  readonly faults: Faults
  /** The texts of the files of programs. */
  readonly files: ReadonlyMap<string, string>
  /** Returns a name that is not taken: the given one, or the first of it with a number. */
  readonly freeName: (name: string, taken: ReadonlyMap<string, unknown>) => string
}

type Turns = Exclude<NonNullable<ConversationConfig["turns"]>, string>

/** The metric of a simulated user with a judge, as gates know it. */
const KEPT_FACTS: ExpandedCheck = { name: "user", metric: { type: "kept-facts" }, pointer: "/user/judge" }

/** Expands the turns of a file. Keys that can't be beside them are faults, and so are the parts of a conversation without turns. */
export function expandConversation(written: Partial<ShortEvaluation>, context: Context): ExpandedConversation {
  const { document, faults, model } = context
  const given = withReadableParts(written)
  const fault = conversationFault(given, model?.model.api_endpoint.format)
  if (fault !== undefined) faults.add(faultAt(document, fault.pointer, fault.why), fault.pointer)
  const { system, turns, user, tools, state, limits = {} } = given
  const isHeld = turns !== undefined || user !== undefined
  const byName = new Map<string, ExpandedCheck>()
  if (!isHeld) return { config: undefined, checks: byName }
  const expanded = typeof turns === "object" ? expandTurns(turns, byName, context) : turns
  if (user?.judge !== undefined) byName.set("user", KEPT_FACTS)
  // The names of checks stand, so that gates about them are not faults, too.
  if (fault !== undefined) return { config: undefined, checks: byName }
  const own = { turns: limits.turns, calls: limits.calls, tokens: limits.tokens, time: limits.time }
  const modelOf = (one: ShortModel, pointer: string) => modelAt(one, pointer, context)
  const bounds = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const config: ConversationConfig = {
    ...(system === undefined ? {} : { system }),
    ...(expanded === undefined ? {} : { turns: expanded }),
    ...(user === undefined || faults.has("/user") ? {} : { user: expandUser(user, context) }),
    ...(tools === undefined ? {} : expandTools(tools, { ...context, modelOf })),
    ...(state === undefined ? {} : { state }),
    ...(Object.keys(bounds).length === 0 ? {} : { limits: bounds }),
  }
  return { config, checks: byName }
}

/** Returns a document in which parts of another type, which are faults already, are empty ones. */
function withReadableParts(given: Partial<ShortEvaluation>): Partial<ShortEvaluation> {
  const { turns, user, tools } = given
  const isText = typeof turns === "string"
  return {
    ...given,
    ...(turns === undefined || isText || Array.isArray(turns) ? {} : { turns: [] }),
    ...(user === undefined || isJsonObject(user) ? {} : { user: {} as NonNullable<ShortEvaluation["user"]> }),
    ...(tools === undefined || Array.isArray(tools) ? {} : { tools: [] }),
  }
}

function expandTurns(
  turns: Exclude<NonNullable<ShortEvaluation["turns"]>, string>,
  byName: Map<string, ExpandedCheck>,
  context: Context,
): Turns {
  const { faults } = context
  let least = 0
  let most = 0
  return turns.map((turn, at) => {
    const pointer = pointerTo("/turns", at)
    const { user, checks: given, repeat: again } = isJsonObject(turn) ? turn : { user: "" }
    const checks = Array.isArray(given) ? given : []
    const repeat = again !== undefined && faults.has(`${pointer}/repeat`) ? undefined : again
    const ofTurn = expandAll(checks, `${pointer}/checks`, context)
    const [first, last] = [least, most + (repeat?.limit ?? 1) - 1]
    least += 1
    most = last + 1
    for (const [name, check] of ofTurn) {
      noteName(name, check, byName, context)
      for (let turn = first; turn <= Math.min(last, MAX_TURNS - 1); turn += 1) {
        const numbered = `${name}@${turn + 1}`
        byName.set(numbered, { ...check, name: numbered })
      }
    }
    const until = repeat === undefined ? undefined : expandOne(repeat.until, `${pointer}/repeat/until`, context)
    const metrics = Object.fromEntries([...ofTurn].map(([name, { metric }]) => [name, metric]))
    return {
      user,
      ...(ofTurn.size === 0 ? {} : { metrics }),
      ...(repeat === undefined || until === undefined ? {} : { repeat: { until: until.metric, limit: repeat.limit } }),
    }
  })
}

function expandUser(
  user: NonNullable<ShortEvaluation["user"]>,
  context: Context,
): NonNullable<ConversationConfig["user"]> {
  const { model, stop, judge, ...told } = user
  const rule = typeof stop === "object" ? expandOne(stop, "/user/stop", context)?.metric : stop
  return {
    ...told,
    model: modelAt(model, "/user/model", context),
    ...(rule === undefined ? {} : { stop: rule }),
    ...(judge === undefined ? {} : { judge: modelAt(judge, "/user/judge", context) }),
  }
}

/** Expands a model that is asked besides the target, with its own parameters. */
function modelAt(given: ShortModel, pointer: string, { document }: Context): EvaluationModel {
  const { model, parameters } = expandModel(document, given, pointer)
  const asked = { inference_params: parameters }
  return Object.keys(parameters).length === 0 ? model : { ...model, ...asked }
}

/** Notes the name of a check over all turns. Checks of one name need one kind, because their scores are one score. */
function noteName(
  name: string,
  check: ExpandedCheck,
  byName: Map<string, ExpandedCheck>,
  { document, faults }: Context,
): void {
  const known = byName.get(name)
  if (known === undefined) byName.set(name, check)
  else if (known.metric.type !== check.metric.type) {
    const place = document.locationOf(known.pointer)
    const why = `'${name}' is a check of another kind at ${place}; give one of them another name with \`as:\`.`
    faults.add(faultAt(document, check.pointer, why), check.pointer)
  }
}

function expandAll(
  checks: readonly ShortCheckEntry[],
  pointer: string,
  context: Context,
): ReadonlyMap<string, ExpandedCheck> {
  const named = new Map<string, ExpandedCheck>()
  for (const [at, check] of checks.entries()) {
    const expanded = expandOne(check, pointerTo(pointer, at), context)
    if (expanded !== undefined) named.set(context.freeName(expanded.name, named), expanded)
  }
  return named
}

function expandOne(
  check: ShortCheckEntry,
  pointer: string,
  { document, model, faults }: Context,
): ExpandedCheck | undefined {
  if (faults.has(pointer)) return undefined
  return faults.attempt(pointer, () => {
    const expanded = expandCheck(check, { document, pointer, prompt: undefined, model, isConversation: true })
    if (expanded.metric.labels !== undefined) {
      throw faultAt(
        document,
        pointer,
        "labels of people are for checks of whole rows; move it to the checks at the end.",
      )
    }
    return expanded
  })
}
