import { type AgentConfig, TASK_FORMAT } from "@assay/schemas"
import type { LocatedDocument } from "@assay/validation"
import { faultAt, pointerTo } from "../document-faults.ts"
import type { Faults } from "../faults.ts"
import { textsOfFiles } from "../program-files.ts"
import type { ShortEvaluation } from "../short/short-evaluation.ts"
import type { ShortAgent } from "../short/short-agent.ts"
import { expandModel } from "../short/short-model.ts"

interface Context {
  readonly document: LocatedDocument
  readonly faults: Faults
  /** The texts of the files of programs. */
  readonly files: ReadonlyMap<string, string>
}

const CONVERSATION = "an agent does a whole task with one request; leave one of them out."
/** Keys that can't be beside `agent`, each with a sentence. */
const NOT_BESIDE: Readonly<Record<string, string>> = {
  output: "no agent does a task whose output exists already; leave one of them out.",
  turns: CONVERSATION,
  user: CONVERSATION,
  system: "write it into `prompt`, as `{ system, user }`.",
  tools: "an agent has tools of its own.",
  state: "an agent returns its state, in a transcript in JSON.",
}

const OF_PROGRAMS = ["files", "environment", "image", "result", "limits"] as const

/** Returns the key of an agent that is wrong beside the others, and why. An empty key is the agent itself. */
function agentFault(agent: ShortAgent): { readonly key: string; readonly why: string } | undefined {
  const { command, url } = agent
  if (command === undefined && url === undefined) {
    return { key: "", why: "has neither `command` nor `url`; write one." }
  }
  if (command !== undefined && url !== undefined) {
    return {
      key: "url",
      why: "can't be beside 'command': an agent is a program or an endpoint; leave one of them out.",
    }
  }
  const stray = url === undefined ? undefined : OF_PROGRAMS.find((key) => agent[key] !== undefined)
  return stray === undefined
    ? undefined
    : { key: stray, why: "belongs to a program, and has no effect on an endpoint." }
}

/** Expands the agent of a file. Undefined: it has none, or one with a fault, which is added. */
export function expandAgent(given: Partial<ShortEvaluation>, context: Context): AgentConfig | undefined {
  const { document, faults, files } = context
  const { agent, model, models } = given
  if (agent === undefined || faults.has("/agent")) return undefined
  const fault = (pointer: string, why: string): undefined => {
    faults.add(faultAt(document, pointer, why), pointer)
  }
  const beside = Object.keys(NOT_BESIDE).find((key) => given[key as keyof ShortEvaluation] !== undefined)
  if (beside !== undefined) return fault(`/${beside}`, `can't be beside 'agent': ${NOT_BESIDE[beside]}`)
  const { url, key, command, environment, image, files: paths, ...rest } = agent
  const wrong = agentFault(agent)
  if (wrong !== undefined) return fault(wrong.key === "" ? "/agent" : pointerTo("/agent", wrong.key), wrong.why)
  if (command !== undefined) {
    if (key !== undefined) return fault("/agent/key", "has no effect on a program; the key of `model` is added for it.")
    return faults.attempt("/agent", () => {
      const list = { files: paths ?? [], pointer: "/agent/files" }
      const texts = paths === undefined ? {} : { files: textsOfFiles(document, list, files) }
      const own = { ...(environment === undefined ? {} : { environment }), ...(image === undefined ? {} : { image }) }
      return { program: { command, ...own, ...texts }, ...rest }
    })
  }
  if (model !== undefined || models !== undefined) {
    return fault(
      `/${model === undefined ? "models" : "model"}`,
      "can't be beside 'agent.url': the endpoint chooses its models; leave it out.",
    )
  }
  return faults.attempt("/agent", () => {
    const named = { url: url ?? "", model: "agent", ...(key === undefined ? {} : { key }) }
    const { api_endpoint: endpoint } = expandModel(document, named, "/agent").model
    return { ...rest, api_endpoint: { ...endpoint, format: TASK_FORMAT } }
  })
}
