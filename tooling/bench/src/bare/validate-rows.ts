// Parses each line of a file and checks it with Ajv, on one thread: the minimum cost of validation. Prints seconds and rows.
import { createReadStream } from "node:fs"
import process from "node:process"
import { Ajv2020 } from "ajv/dist/2020.js"
import { ROW_SCHEMA } from "../contents/row-schema.ts"

const check = new Ajv2020({ allErrors: true }).compile(ROW_SCHEMA)
const started = performance.now()
let rest = ""
let valid = 0
const decoder = new TextDecoder()
for await (const chunk of createReadStream(process.argv[2] ?? "", { highWaterMark: 2 ** 20 })) {
  const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n")
  rest = lines.pop() ?? ""
  for (const line of lines) if (check(JSON.parse(line))) valid += 1
}
process.stdout.write(JSON.stringify({ seconds: (performance.now() - started) / 1000, valid }))
