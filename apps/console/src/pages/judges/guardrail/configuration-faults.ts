import { guardrailFault } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import type { LineFault } from "../../../components/code-editor/fault-lines.tsx"

const NAME = "document"
const LOCATION = new RegExp(`^${NAME}:(\\d+):(\\d+): ([^]*)$`, "u")

/** Returns what is wrong with the text of a guardrail configuration, with its line. The server checks more, such as the names of flows. */
export function configurationFaults(text: string): readonly LineFault[] {
  try {
    const { value, locationOf } = parseYaml(text, NAME)
    const fault = guardrailFault(value)
    if (fault === undefined) return []
    const [, line = "1"] = LOCATION.exec(`${locationOf(`/${fault.keys.join("/")}`)}: `) ?? []
    return [{ line: Number(line), text: `'${fault.keys.join(".") || "configuration"}': ${fault.msg}` }]
  } catch (error) {
    const [, line = "1", , words = messageOf(error)] = LOCATION.exec(messageOf(error)) ?? []
    return [{ line: Number(line), text: words }]
  }
}
