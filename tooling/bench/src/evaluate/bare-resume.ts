// Resumes as a script does that anyone would write: it reads the rows and the lines of the journal, and asks the first question
// that has no answer. Arguments: address, file of rows, journal.
import { readFile } from "node:fs/promises"
import process from "node:process"

const [url = "", file = "", journal = ""] = process.argv.slice(2)
const lines = async (path: string) => (await readFile(path, "utf8")).trimEnd().split("\n")
const answered = new Set<number>()
for (const line of await lines(journal)) answered.add((JSON.parse(line) as { readonly row_index: number }).row_index)
const rows = (await lines(file)).map((line) => JSON.parse(line) as { readonly question: string })
const next = rows.find((_, index) => !answered.has(index)) ?? rows.at(-1)
const body = JSON.stringify({ model: "chat", messages: [{ role: "user", content: next?.question }] })
await (await fetch(`${url}/v1/chat/completions`, { method: "POST", body })).arrayBuffer()
process.exit(0)
