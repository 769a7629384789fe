import { AssayError } from "@assay/schemas"
import type { ReadingContext } from "./file-searches.ts"
import type { RowReader } from "./row-reader.ts"

/** Rows on which a schema is tried, and rows with issues that are shown. */
const TRIED_ROWS = 1000
const SHOWN_ROWS = 20

/** Creates the function that checks the first rows of a file with another schema. */
export function createSchemaTrial({ turns, indexesOf, schemas }: ReadingContext): RowReader["trySchema"] {
  return async ({ id, workspace, storage, metadata }, { path, schema, signal }) => {
    const { listRowFiles } = await import("../reading/open-rows.ts")
    const [file] = await listRowFiles(storage, path, signal)
    if (file === undefined) throw new AssayError("not_found", "The fileset has no file with rows to try the schema on.")
    const { readRowsPage } = await import("../pages/read-rows-page.ts")
    const { schemas_by_path: _, ...rest } = metadata ?? {}
    const checkedBy = { metadata: { ...rest, schema }, schemas: await schemas.of(workspace) }
    const { checkDatasetMetadata } = await import("../checking/check-dataset-metadata.ts")
    await checkDatasetMetadata(checkedBy.metadata, { schemas: checkedBy.schemas, loc: ["body"], signal })
    const options = { limit: TRIED_ROWS, checkedBy, indexes: await indexesOf(id), signal }
    const { data } = await turns.run(signal, () => readRowsPage(storage, file.path, options))
    const invalid = data.filter(({ issues }) => issues.length > 0)
    return { path: file.path, rows: data.length, invalid: invalid.length, data: invalid.slice(0, SHOWN_ROWS) }
  }
}
