import type { Fileset } from "@assay/schemas"
import type { Queries } from "../database.ts"
import { rowOf } from "./row-of.ts"

/** A database takes a limited number of values in one statement. */
const ROWS_AT_A_TIME = 300

/** Returns a dataset on a local disk, with an id that comes from its name, and with the given values. */
export function testFileset(given: Partial<Fileset> & Pick<Fileset, "name">): Fileset {
  const time = "2026-11-20T00:00:00.000Z"
  return {
    id: `fileset-${given.name}`,
    workspace: "default",
    description: "",
    purpose: "dataset",
    storage: { type: "local", path: "/data" },
    metadata: {},
    custom_fields: {},
    project: "",
    created_at: time,
    updated_at: time,
    ...given,
  }
}

/** Stores records as they are, also with values that only the registry sets. */
export async function insertFilesets(queries: Queries, filesets: readonly Fileset[]): Promise<void> {
  for (let n = 0; n < filesets.length; n += ROWS_AT_A_TIME) {
    const rows = filesets.slice(n, n + ROWS_AT_A_TIME).map(rowOf)
    await queries.insertInto("filesets").values(rows).execute()
  }
}
