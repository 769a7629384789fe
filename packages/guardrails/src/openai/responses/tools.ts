import { fieldsOf, listOf } from "@assay/json"
import { invalidRequest } from "@assay/schemas"
import type { Fields } from "../chat-form.ts"
import { unsupported } from "../unsupported.ts"

/** Converts the tools of a request to those of a chat. @throws `invalid_request` for a tool that is not a function */
export function chatTools(tools: unknown): readonly Fields[] {
  return listOf(tools).map((tool, index) => {
    const { type, name, ...definition } = fieldsOf(tool)
    if (type !== "function") throw otherTool(["tools", index, "type"], type)
    if (typeof name !== "string" || name === "") {
      throw invalidRequest(["body", "tools", index, "name"], "must be the name of the function", "string_type", name)
    }
    return { type, function: { name, ...withoutNull(definition) } }
  })
}

const MODES: ReadonlySet<unknown> = new Set(["none", "auto", "required"])

/** Converts the choice of a tool. Returns undefined if there is none. @throws `invalid_request` */
export function chatToolChoice(choice: unknown): unknown {
  if (choice === undefined || choice === null || MODES.has(choice)) return choice ?? undefined
  const { type, name } = fieldsOf(choice)
  if (type !== "function") throw otherTool(["tool_choice"], type ?? choice)
  return { type, function: { name } }
}

function otherTool(field: readonly (string | number)[], type: unknown) {
  return unsupported(field, "the model can call functions only; tools that OpenAI runs itself do not exist here", type)
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
