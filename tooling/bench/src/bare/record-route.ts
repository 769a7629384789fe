// A Fastify route that reads a fileset by its name from the server's table with a prepared statement, and sends its record: what anyone
// would write over this database, without rights, metrics and a log. Argument: database.
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { fastify } from "fastify"

interface FilesetRow {
  readonly id: string
  readonly name: string
  readonly workspace: string
  readonly description: string
  readonly purpose: string
  readonly storage: string
  readonly metadata: string
  readonly custom_fields: string
  readonly project: string
  readonly created_at: number
  readonly updated_at: number
}

const database = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })
const find = database.prepare(
  `select id, name, workspace, description, purpose, storage, metadata, custom_fields, project, created_at, updated_at
   from filesets where workspace = ? and name = ?`,
)
const app = fastify()
app.get<{ Params: { readonly workspace: string; readonly name: string } }>(
  "/apis/files/v2/workspaces/:workspace/filesets/:name",
  ({ params: { workspace, name } }, reply) => {
    const row = find.get(workspace, name) as FilesetRow | undefined
    if (row === undefined) return reply.code(404).send({ detail: `There is no fileset '${name}'.` })
    const { storage, metadata, custom_fields, created_at, updated_at, ...texts } = row
    return reply.send({
      ...texts,
      storage: JSON.parse(storage),
      metadata: JSON.parse(metadata),
      custom_fields: JSON.parse(custom_fields),
      created_at: new Date(created_at).toISOString(),
      updated_at: new Date(updated_at).toISOString(),
    })
  },
)
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`)
process.on("SIGTERM", () => process.exit(0))
