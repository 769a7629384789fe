// Answers random patterns with prepared statements over the table of the server, as anyone would write them: the newest ten
// matches and their number. Prints patterns per second. Arguments: database, number of filesets, seconds, first pattern, column.
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { randomFieldPattern, randomPattern } from "../filesets/fileset-names.ts"

const [path = "", count = "0", seconds = "0", first = "0", column = "name"] = process.argv.slice(2)
const database = new DatabaseSync(path, { readOnly: true })
const condition = `workspace = 'default' and ${column === "name" ? "name" : `custom_fields ->> '$.${column}'`} like ?`
const page = database.prepare(`select * from filesets where ${condition} order by created_at desc, id limit 10`)
const total = database.prepare(`select count(*) as total from filesets where ${condition}`)

const started = performance.now()
const until = started + Number(seconds) * 1000
let answered = 0
for (let index = Number(first); performance.now() < until; index += 1) {
  const like = `%${column === "name" ? randomPattern(index, Number(count)) : randomFieldPattern(index)}%`
  JSON.stringify({ data: page.all(like), ...total.get(like) })
  answered += 1
}
process.stdout.write(String(answered / ((performance.now() - started) / 1000)))
