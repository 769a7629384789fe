import { inferSchema } from "@assay/contents"
import { formatJson } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { openRowSource, type CsvOptions } from "./open-row-source.ts"

export interface InferRowSchemaOptions extends CsvOptions, JsonOption {
  readonly limit: number
}

/**
 * Runs `assay dataset infer-schema <dataset>`: always JSON, so that the schema can be used for `--schema` and metadata. Its comments are also
 * on stderr.
 */
export async function inferRowSchema(context: Context, dataset: string, options: InferRowSchemaOptions): Promise<void> {
  const { limit: rows } = options
  const { storage, path, metadata, served } = await openRowSource(context, dataset, options)
  const { signal } = context
  const schema = await (served?.inferSchema(rows) ?? inferSchema(storage, path, { rows, metadata, signal }))
  await writeText(context.stdout, formatJson(schema))
  for (const comment of commentsOf(schema, "")) await writeText(context.stderr, `${printable(comment)}\n`)
}

/** Lists the comments of a proposed schema, those of columns with their path. */
function* commentsOf(schema: unknown, pointer: string): Generator<string> {
  if (typeof schema !== "object" || schema === null) return
  const { $comment, properties, items } = schema as Readonly<Record<string, unknown>>
  if (typeof $comment === "string") {
    for (const line of $comment.split("\n")) yield pointer === "" ? line : `${pointer}: ${line}`
  }
  for (const [name, property] of Object.entries(properties ?? {})) yield* commentsOf(property, `${pointer}/${name}`)
  yield* commentsOf(items, `${pointer}/*`)
}
