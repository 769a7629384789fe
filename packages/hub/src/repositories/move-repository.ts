import { AssayError, FilesetName } from "@assay/schemas"
import type { CallerFilesets } from "@assay/filesets"
import type { Repository } from "../hub-address.ts"

const NAME = new RegExp(FilesetName.pattern ?? "", "u")

/** Parses a repository id. @throws `bad_request` */
export function parseRepositoryId(id: string): Repository {
  const [ws, name, ...rest] = id.split("/")
  if (ws !== undefined && ws !== "" && name !== undefined && name !== "" && rest.length === 0) return { ws, name }
  throw new AssayError("bad_request", `'${id}' is not a repository id; write {workspace}/{fileset}.`)
}

/** Renames a repository within its workspace. @throws `bad_request`, `not_found`, `already_exists`, `in_use` */
export async function moveRepository({ filesets }: CallerFilesets, from: Repository, to: Repository): Promise<void> {
  if (from.ws !== to.ws) {
    const message = `A fileset stays in its workspace: '${from.ws}/${from.name}' can't move to '${to.ws}'. Download it and upload it there.`
    throw new AssayError("bad_request", message)
  }
  if (!NAME.test(to.name) || to.name.length > 255) {
    const message = `'${to.name}' can't be the name of a fileset: give 1 to 255 characters of A-Za-z0-9_.-, not . or ..`
    throw new AssayError("bad_request", message)
  }
  await filesets.update(from.ws, from.name, { name: to.name })
}
