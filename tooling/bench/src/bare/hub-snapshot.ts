// Downloads a repository into an empty folder with snapshotDownload, and prints the seconds on its last line: the client
// itself prints a line for each file. Arguments: address of the hub, repository, folder.
import process from "node:process"
import { snapshotDownload } from "@huggingface/hub"

const [hubUrl = "", repo = "", cacheDir = ""] = process.argv.slice(2)
const started = performance.now()
await snapshotDownload({ repo, hubUrl, cacheDir })
process.stdout.write(`\n${(performance.now() - started) / 1000}\n`)
