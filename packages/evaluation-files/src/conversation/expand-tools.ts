import { isJsonObject } from "@assay/json"
import { type ConversationConfig, type ConversationTool, toolFault, type EvaluationModel } from "@assay/schemas"
import type { LocatedDocument } from "@assay/validation"
import { faultAt, pointerTo } from "../document-faults.ts"
import type { Faults } from "../faults.ts"
import { textsOfFiles } from "../program-files.ts"
import type { ShortEvaluation } from "../short/short-evaluation.ts"
import type { ShortModel } from "../short/short-model-schema.ts"

interface Context {
  readonly document: LocatedDocument
  readonly faults: Faults
  /** The texts of the files of programs. */
  readonly files: ReadonlyMap<string, string>
  readonly modelOf: (given: ShortModel, pointer: string) => EvaluationModel
}

type ExpandedTools = Pick<ConversationConfig, "tools" | "tool_models">

/** Expands tools of the short form: the files of their programs become texts, and their models have a list of their own. */
export function expandTools(given: NonNullable<ShortEvaluation["tools"]>, context: Context): ExpandedTools {
  const { document, faults, files, modelOf } = context
  const models: NonNullable<ConversationConfig["tool_models"]> = []
  const tools = given.flatMap((tool, at): readonly ConversationTool[] => {
    const pointer = pointerTo("/tools", at)
    if (faults.has(pointer) || !isJsonObject(tool)) return []
    const fault = toolFault(tool)
    if (fault !== undefined) {
      const own = fault.key === "" ? pointer : pointerTo(pointer, fault.key)
      faults.add(faultAt(document, own, fault.why), own)
      return []
    }
    const { model, files: own, mcp, ...rest } = tool
    const texts = (list: typeof own, above: string) =>
      list === undefined ? {} : { files: textsOfFiles(document, { files: list, pointer: `${above}/files` }, files) }
    const expanded = faults.attempt(pointer, () => {
      if (model !== undefined && rest.name !== undefined) {
        models.push({ tool: rest.name, model: modelOf(model, `${pointer}/model`) })
      }
      const server = mcp === undefined ? {} : { mcp: { ...mcp, ...texts(mcp.files, `${pointer}/mcp`) } }
      return { ...rest, ...texts(own, pointer), ...server } as ConversationTool
    })
    return expanded === undefined ? [] : [expanded]
  })
  return { tools, ...(models.length === 0 ? {} : { tool_models: models }) }
}
