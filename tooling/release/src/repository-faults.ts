import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Package } from "./manifest.ts"
import { lastLines, type RunCommand } from "./run-command.ts"

/** Returns why the repository can't be released as it is, each reason as a sentence. */
export async function repositoryFaults(
  root: string,
  packages: readonly Package[],
  run: RunCommand,
): Promise<readonly string[]> {
  return [...(await treeFaults(root, run)), ...changesetFaults(root), ...versionFaults(root, packages)]
}

async function treeFaults(root: string, run: RunCommand): Promise<readonly string[]> {
  const status = await run("git", ["status", "--porcelain"], root)
  if (status.code !== 0) return [`git status failed: ${lastLines(status)}`]
  const changed = status.stdout.trimEnd().split("\n").filter(Boolean)
  if (changed.length === 0) return []
  const shown = changed.slice(0, 5).map((line) => line.slice(3))
  return [`${changed.length} files differ from the last commit, such as ${shown.join(", ")}; commit or remove them.`]
}

function changesetFaults(root: string): readonly string[] {
  const pending = globSync(".changeset/*.md", { cwd: root }).filter((path) => !path.endsWith("README.md"))
  if (pending.length === 0) return []
  return [`${pending.length} changesets wait in .changeset; add them to CHANGELOG.md and run npx changeset version.`]
}

function versionFaults(root: string, packages: readonly Package[]): readonly string[] {
  const path = join(root, "CHANGELOG.md")
  const newest = existsSync(path) ? newestVersion(readFileSync(path, "utf8")) : undefined
  if (newest === undefined) return ["CHANGELOG.md has no section with a version; write one, such as '## 1.2.3'."]
  return packages
    .filter(({ manifest }) => manifest.version !== newest)
    .map(
      ({ manifest }) =>
        `${manifest.name} has version ${manifest.version}, and the newest section of CHANGELOG.md is ${newest}; make them equal.`,
    )
}

/** Returns the version of the first section of a changelog, or `undefined` if there is none. */
function newestVersion(changelog: string): string | undefined {
  return /^## (\d+\.\d+\.\d+\S*)$/m.exec(changelog)?.[1]
}
