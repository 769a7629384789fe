// Creates filesets in a copy of the server's table without its triggers and indexes, one durable transaction each: the least
// that a server without groups can do. Prints inserts per second. Arguments: database (is created), seconds.
import { randomUUID } from "node:crypto"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"

const [path = "", seconds = "0"] = process.argv.slice(2)
const database = new DatabaseSync(path)
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table filesets (id text primary key, workspace text, name text, purpose text, storage text, created_at integer, unique (workspace, name))`)
const insert = database.prepare("insert into filesets values (?, 'default', ?, 'dataset', '{}', ?)")
const started = performance.now()
const until = started + Number(seconds) * 1000
let created = 0
while (performance.now() < until) {
  insert.run(randomUUID(), `made-${created}`, Date.now())
  created += 1
}
process.stdout.write(String(created / ((performance.now() - started) / 1000)))
