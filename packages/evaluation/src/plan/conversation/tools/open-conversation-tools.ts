import { AssayError } from "@assay/schemas"
import type { RunParams } from "@assay/scoring"
import { checkFilesRead } from "../../program-texts.ts"
import type { PlanContext } from "../../task-shape.ts"
import { type CompiledTools, hasPrograms, isServer } from "./compile-tools.ts"
import { NO_SANDBOX, openSandbox } from "./open-sandbox.ts"
import { createWorkRecorder } from "./recorded-work.ts"
import type { ScriptPorts } from "./script-tool.ts"
import { listServed } from "./served-tools.ts"
import { type OpenedTool, openTools, type ToolBox } from "./tool-box.ts"

/**
 * Opens the tools of conversations: the sandbox, if they have programs, and the list of tools of each server.
 * @throws `code_not_allowed` without a sandbox; `harness_failed` for a server that does not start; `invalid_request` for its tools; `recording_missing`
 */
export async function openConversationTools(
  compiled: CompiledTools,
  { callLimits }: Pick<RunParams, "callLimits">,
  { environment, models, signal }: PlanContext,
): Promise<ToolBox> {
  const { recording } = environment
  const isRun = hasPrograms(compiled) && recording?.isReplayOnly !== true
  const sandbox = isRun ? await openSandbox(environment, signal) : NO_SANDBOX
  const ports: ScriptPorts = { sandbox, recorder: createWorkRecorder(recording) }
  const tools: OpenedTool[] = []
  for (const tool of compiled) {
    if (isServer(tool)) {
      checkFilesRead(tool.program)
      const served = await listServed(tool, { ...ports, signal })
      tools.push(
        ...served.map(({ name, description, parameters, program }): OpenedTool => {
          return { name, description, parameters, source: { kind: "server", program } }
        }),
      )
      continue
    }
    const { source } = tool
    if (source.kind === "script") checkFilesRead(source.program)
    if (source.kind !== "model") tools.push({ ...tool, source })
    else {
      const opened = { asked: source.model, model: await models.open(source.model.endpoint), callLimits }
      tools.push({ ...tool, source: { kind: "model", opened } })
    }
  }
  const names = tools.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) {
    throw new AssayError(
      "invalid_request",
      `'${twice}' is the name of two tools; name the tools of a server that are needed.`,
    )
  }
  return openTools(tools, { ...ports, schemas: environment.schemas })
}
