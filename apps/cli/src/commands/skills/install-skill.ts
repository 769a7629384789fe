import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { misspeltName, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { isFolderName } from "../../is-folder-name.ts"
import { writeFile } from "../../output/write-file.ts"
import { readVersion } from "../../read-version.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { isUnchangedSkill, skillText } from "./skill-text.ts"

/** The folders in which assistants look for the skills of a project. */
const FOLDERS: Readonly<Record<string, string>> = {
  claude: ".claude/skills",
  cursor: ".cursor/skills",
  copilot: ".github/skills",
  codex: ".agents/skills",
}

export interface InstallOptions extends JsonOption {
  readonly for: string
  readonly force?: boolean
}

/** Runs `assay skills install`. @throws `path_conflict` if the file was changed by somebody */
export async function installSkill(context: Context, options: InstallOptions): Promise<void> {
  const { for: assistant, force = false } = options
  const file = join(folderOf(context, assistant), "assay", "SKILL.md")
  const text = skillText(readVersion(), sha256)
  const found = existsSync(file) ? await readLocalText(file) : undefined
  if (found !== undefined && found !== text && !isUnchangedSkill(found, sha256) && !force) {
    const message = `${printable(file)} was changed and is left as it is: add --force to replace it.`
    throw new AssayError("path_conflict", message)
  }
  const isWritten = found !== text
  if (isWritten) await writeFile(file, text)
  const said = isWritten ? `wrote ${printable(file)}\n` : `${printable(file)} is up to date\n`
  await print(context, options, { file, written: isWritten }, () => said)
}

/** @throws `bad_usage` for a word that is neither an assistant nor a folder */
function folderOf({ cwd }: Context, assistant: string): string {
  const known = Object.hasOwn(FOLDERS, assistant) ? FOLDERS[assistant] : undefined
  if (known !== undefined) return resolve(cwd, known)
  if (isFolderName(assistant)) return resolve(cwd, assistant)
  const names = Object.keys(FOLDERS)
  const near = misspeltName(assistant, names)
  const meant = near === undefined ? "" : ` Did you mean ${near}?`
  const message = `'${printable(assistant)}' is not an assistant that is known: give ${names.join(", ")}, or a folder such as ./skills.${meant}`
  throw new AssayError("bad_usage", message)
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
