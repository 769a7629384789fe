import { AssayError } from "@assay/schemas/errors"
import { CreateGuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { Value } from "@sinclair/typebox/value"
import type { Context } from "../../context.ts"
import { printable } from "../../output/printable.ts"
import { readJsonFile } from "../read-json-file.ts"

/** Reads a configuration: its `data` alone, or the whole record. @throws `bad_usage` with the first place that is wrong */
export async function readGuardrailFile(context: Context, file: string): Promise<GuardrailData> {
  const value = await readJsonFile(context, "--config", file)
  const isRecord = typeof value === "object" && value !== null && "data" in value
  const schema = isRecord ? CreateGuardrailConfiguration : GuardrailData
  const [fault] = Value.Errors(schema, value)
  if (fault !== undefined) {
    const place = fault.path === "" ? "it" : printable(fault.path.slice(1).replaceAll("/", "."))
    const message = `--config '${printable(file)}' is no guardrail configuration: ${place}: ${fault.message.toLowerCase()}.`
    throw new AssayError("bad_usage", message)
  }
  return isRecord ? (value as CreateGuardrailConfiguration).data : (value as GuardrailData)
}
