import type { CreateFileset, UpdateFileset } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { readJsonArgument } from "../read-json-argument.ts"

/** Options that become fields of a fileset. */
export interface FilesetFieldOptions {
  readonly description?: string
  readonly project?: string
  readonly metadata?: string
  readonly customFields?: string
}

type FilesetFields = Pick<CreateFileset & UpdateFileset, "description" | "project" | "metadata" | "custom_fields">

/** The fields that were given; whether their JSON has the right shape is the server's to say. */
export async function readFilesetFields(context: Context, options: FilesetFieldOptions): Promise<FilesetFields> {
  const { description, project, metadata, customFields } = options
  const fields: Record<string, unknown> = {
    ...(description === undefined ? {} : { description }),
    ...(project === undefined ? {} : { project }),
    ...(metadata === undefined ? {} : { metadata: await readJsonArgument(context, "--metadata", metadata) }),
    ...(customFields === undefined
      ? {}
      : { custom_fields: await readJsonArgument(context, "--custom-fields", customFields) }),
  }
  return fields
}
