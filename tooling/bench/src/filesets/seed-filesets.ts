import { join } from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { startAssay } from "../assay-server.ts"
import { createFileset } from "./create-fileset.ts"
import { filesetName, sourceField } from "./fileset-names.ts"

const PURPOSES = ["dataset", "generic", "model"]
const TEMPLATE = "template"
const BASE_TIME = 1_790_000_000_000

type Values = Record<string, SQLInputValue>

/** Returns the path of the database of a data folder. */
export function databaseOf(dataFolder: string): string {
  return join(dataFolder, "registry.db")
}

/**
 * Adds the filesets from number `from` up to `count` to the workspace `default` of a data folder that no server uses. They are
 * inserted by one statement, with the triggers of the server. Over the API, a million of them would take a quarter of an hour,
 * and one statement each would flush the search index after every row. Columns that are not named here are copied from a
 * fileset that the server itself has created.
 */
export async function seedFilesets(dataFolder: string, count: number, from = 0): Promise<void> {
  if (from === 0) {
    const server = await startAssay(dataFolder)
    await createFileset(server.url, TEMPLATE)
    await server.stop()
  }
  const database = new DatabaseSync(databaseOf(dataFolder))
  try {
    // After a crash the file may be damaged. Nothing here has to survive one.
    database.exec("pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -262144")
    const { storage } = database.prepare("select storage from filesets where name = ?").get(TEMPLATE) as {
      storage: string
    }
    const given = Object.keys(row(0, ""))
    const columns = (database.prepare("pragma table_info(filesets)").all() as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== "seq")
    database.exec(`create temp table seeded (${given.join(", ")}); begin`)
    const insert = database.prepare(`insert into seeded values (${given.map((name) => `:${name}`).join(", ")})`)
    for (let index = from; index < count; index += 1) insert.run(row(index, storage))
    const values = columns.map((name) => (given.includes(name) ? `seeded.${name}` : `template.${name}`))
    database
      .prepare(
        `insert into filesets (${columns.join(", ")})
         select ${values.join(", ")} from seeded cross join filesets as template where template.name = ?`,
      )
      .run(TEMPLATE)
    database.exec("commit")
  } finally {
    database.close()
  }
}

function row(index: number, storage: string): Values {
  const name = filesetName(index)
  const description = `seeded fileset number ${index}`
  const fields = { team: `team-${index % 7}`, priority: index % 5, source: sourceField(index) }
  return {
    name,
    name_folded: name,
    id: `fileset-seeded${index.toString(36).padStart(16, "0")}`,
    description,
    description_folded: description,
    purpose: PURPOSES[index % PURPOSES.length] ?? "dataset",
    storage: storage.replace(`/${TEMPLATE}"`, `/${name}"`),
    custom_fields: JSON.stringify(fields),
    custom_fields_folded: JSON.stringify(fields).toLowerCase(),
    created_at: BASE_TIME + index * 10,
    updated_at: BASE_TIME + index * 10,
  }
}
