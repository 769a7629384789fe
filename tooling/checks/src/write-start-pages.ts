import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText, REPOSITORY_ROOT } from "./reading/repository.ts"
import { openPageShell } from "./start/page-shell.ts"
import { comparable, pageSteps, scriptOf, startsServer, withOutputs } from "./start/page-steps.ts"

// Runs the commands of docs/start and writes what they print into the pages, if it differs in more than durations, times and ids. Build the repository first:
//   node tooling/checks/src/write-start-pages.ts
for (const path of repositoryFiles(/^docs\/start\/.*\.md$/)) {
  const page = readText(path)
  const shell = await openPageShell({ hasServer: startsServer(page), script: scriptOf(page) })
  const outputs: string[] = []
  try {
    for (const { commands, output } of pageSteps(page)) {
      const ran = await shell.run(commands)
      if (output !== undefined) outputs.push(comparable(output) === comparable(ran.output) ? output : ran.output)
    }
  } finally {
    await shell.close()
  }
  writeFileSync(join(REPOSITORY_ROOT, path), withOutputs(page, outputs))
}
