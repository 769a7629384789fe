import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { CreateGuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { Value } from "@sinclair/typebox/value"
import type { Context } from "../../context.ts"
import { printable } from "@assay/schemas/printable"
import { readJsonFile } from "../read-json.ts"
import { readGuardrailFolder, readPromptsBeside } from "./read-guardrail-folder.ts"

/**
 * Reads a configuration: its `data`, the whole record, a `config.yml` with a `prompts.yml` beside it, or a folder of NeMo
 * Guardrails.
 * @throws `bad_usage` with the first fault and its location
 */
export async function readGuardrailFile(context: Context, file: string): Promise<GuardrailData> {
  const value = await readParts(context, file)
  const isRecord = isObject(value) && "data" in value
  const schema = isRecord ? CreateGuardrailConfiguration : GuardrailData
  const [fault] = Value.Errors(schema, value)
  if (fault !== undefined) {
    const place = fault.path === "" ? "it" : printable(fault.path.slice(1).replaceAll("/", "."))
    const message = `--config '${printable(file)}' is not a guardrail configuration: ${place}: ${fault.message.toLowerCase()}.`
    throw new AssayError("bad_usage", message)
  }
  return isRecord ? (value as CreateGuardrailConfiguration).data : (value as GuardrailData)
}

async function readParts(context: Context, file: string): Promise<unknown> {
  const isFolder = await stat(resolve(context.cwd, file)).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return readGuardrailFolder(context, file)
  const value = await readJsonFile(context, "--config", file)
  if (!isObject(value) || "data" in value || "prompts" in value) return value
  const prompts = await readPromptsBeside(context, file)
  return prompts === undefined ? value : { ...value, prompts }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
