import { inferSchema } from "@assay/contents"
import { formatJson } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { openRowSource } from "./open-row-source.ts"

export interface InferRowSchemaOptions extends JsonOption {
  readonly rows: number
}

/** `assay dataset infer-schema <dataset>`: always JSON, so that the schema can be used for `--schema` and metadata. */
export async function inferRowSchema(context: Context, dataset: string, options: InferRowSchemaOptions): Promise<void> {
  const { rows } = options
  const { storage, path, served } = await openRowSource(context, dataset, {})
  const schema = await (served?.inferSchema(rows) ?? inferSchema(storage, path, { rows, signal: context.signal }))
  await writeText(context.stdout, formatJson(schema))
}
