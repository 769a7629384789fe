// Usage: npm run release -- [--dry-run] [--out DIR] [--from NAME].
// With --dry-run, nothing is published. With --from, packages before NAME are not published again.
import { mkdtempSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { buildPackages } from "./build-packages.ts"
import { createRunCommand } from "./run-command.ts"
import { runRelease } from "./run-release.ts"

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    out: { type: "string" },
    from: { type: "string" },
  },
})
const root = resolve(fileURLToPath(new URL("../../..", import.meta.url)))
const run = createRunCommand(process.env)
const faults = await runRelease({
  root,
  run,
  out: values.out === undefined ? mkdtempSync(join(tmpdir(), "assay-release-")) : resolve(values.out),
  isDryRun: values["dry-run"],
  from: values.from,
  machineFolders: [root, homedir()].filter((folder) => folder.length > 1),
  build: (packages) => buildPackages(packages, { root, run }),
  log: (line) => process.stdout.write(`${line}\n`),
})
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
